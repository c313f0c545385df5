import type { Pairs } from './pairs.js'

/** A page of the web as a browser shows it. */
export const CHROMIUM: Pairs = { vendor: 'chromium', groups: [{ from: ['html'], to: ['pdf', 'png', 'jpeg', 'webp'] }] }
