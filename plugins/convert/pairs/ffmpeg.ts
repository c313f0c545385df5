import type { Pairs } from './pairs.js'

export const FFMPEG: Pairs = { vendor: 'ffmpeg', groups: [] }
