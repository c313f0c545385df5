import type { Format } from './format.js'

export const ARCHIVES: readonly Format[] = []
