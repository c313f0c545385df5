import type { Pairs } from './pairs.js'

/** A web page as rendered by a browser. */
export const CHROMIUM: Pairs = { vendor: 'chromium', groups: [{ from: ['html'], to: ['pdf', 'png', 'jpeg', 'webp'] }] }
