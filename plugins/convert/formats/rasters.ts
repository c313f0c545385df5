import type { Format } from './format.js'

export const RASTERS: readonly Format[] = []
