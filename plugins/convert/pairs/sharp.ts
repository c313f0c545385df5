import type { Pairs } from './pairs.js'

export const SHARP: Pairs = { vendor: 'sharp', groups: [] }
