import type { Pairs } from './pairs.js'

export const CALIBRE: Pairs = { vendor: 'calibre', groups: [] }
