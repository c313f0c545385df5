import type { Pairs } from './pairs.js'

/** Each page becomes a picture; text and PostScript are of the whole file. */
export const POPPLER: Pairs = {
  vendor: 'poppler',
  groups: [{ from: ['pdf'], to: ['png', 'jpeg', 'tiff', 'svg', 'ppm', 'ps', 'eps', 'txt', 'html'] }],
}
