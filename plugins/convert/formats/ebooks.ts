import type { Format } from './format.js'

export const EBOOKS: readonly Format[] = []
