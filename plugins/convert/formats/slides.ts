import type { Format } from './format.js'

export const SLIDES: readonly Format[] = []
