import type { Pairs } from './pairs.js'

const PIXELS = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']

/** Formats that the prebuilt libvips reads and writes, and pages of a TIFF file. */
export const SHARP: Pairs = {
  vendor: 'sharp',
  groups: [
    { from: [...PIXELS, 'svg'], to: PIXELS },
    { from: ['tiff'], to: ['pdf'] },
  ],
}
