/** Pixels of a picture from top to bottom; Chromium draws nothing true below. */
export const MOST_HEIGHT = 16_384
/** Sheets of a pdf. */
export const MOST_SHEETS = 50
/** Bytes of a picture. */
export const MOST_BYTES = 32 * 1024 * 1024
