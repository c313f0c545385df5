/** Pixels of a picture from top to bottom. */
export const MOST_HEIGHT = 16_384
/** Bytes of a picture that an answer carries. */
export const MOST_BYTES = 32 * 1024 * 1024
/** Of jpeg and webp that vendors make. */
export const QUALITY = 85
