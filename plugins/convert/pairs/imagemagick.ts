import type { Pairs } from './pairs.js'

export const IMAGEMAGICK: Pairs = { vendor: 'imagemagick', groups: [] }
