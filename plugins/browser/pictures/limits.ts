/** Pixels of a picture from top to bottom. */
export const MOST_HEIGHT = 16_384
/** What WebP can hold (RFC 9649, 1). */
export const MOST_WEBP_HEIGHT = 16_383
/** Pixels that are taken at once: the browser answers nobody while it encodes them. */
export const BAND_PIXELS = 2_500_000
/** Sheets of a pdf. */
export const MOST_SHEETS = 50
/** Bytes of a picture. */
export const MOST_BYTES = 32 * 1024 * 1024
/** Of jpeg and webp. */
export const QUALITY = 85
