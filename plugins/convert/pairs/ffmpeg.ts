import { mediaPairs } from '../../media/contract.js'
import type { Pairs } from './pairs.js'

export const FFMPEG: Pairs = { vendor: 'ffmpeg', groups: mediaPairs() }
