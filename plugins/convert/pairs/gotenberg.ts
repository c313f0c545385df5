import type { Pairs } from './pairs.js'

export const GOTENBERG: Pairs = { vendor: 'gotenberg', groups: [] }
