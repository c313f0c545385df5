import type { Format } from './format.js'

export const VIDEO: readonly Format[] = []
