import type { Pairs } from './pairs.js'

export const PANDOC: Pairs = { vendor: 'pandoc', groups: [] }
