import type { Format } from './format.js'

export const MARKUP: readonly Format[] = []
