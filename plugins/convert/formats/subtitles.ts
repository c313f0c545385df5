import type { Format } from './format.js'

export const SUBTITLES: readonly Format[] = []
