import type { Pairs } from './pairs.js'

export const CONVERTAPI: Pairs = { vendor: 'convertapi', groups: [] }
