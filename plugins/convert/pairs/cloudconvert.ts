import type { Pairs } from './pairs.js'

export const CLOUDCONVERT: Pairs = { vendor: 'cloudconvert', groups: [] }
