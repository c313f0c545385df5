import type { Format } from './format.js'

export const SHEETS: readonly Format[] = []
