import type { Format } from './format.js'

export const DRAWINGS: readonly Format[] = []
