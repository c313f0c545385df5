/** Height of a picture in pixels. */
export const MOST_HEIGHT = 16_384
/** The maximum of WebP (RFC 9649, 1). */
export const MOST_WEBP_HEIGHT = 16_383
/** Pixels captured at once: the browser is blocked while it encodes them. */
export const BAND_PIXELS = 2_500_000
/** Pages of a PDF. */
export const MOST_SHEETS = 50
/** Bytes of a picture. */
export const MOST_BYTES = 32 * 1024 * 1024
/** Of jpeg and webp. */
export const QUALITY = 85
