import { DEVICES } from '../engines/ghostscript/devices.js'
import type { Pairs } from './pairs.js'

export const GHOSTSCRIPT: Pairs = { vendor: 'ghostscript', groups: [{ from: ['ps', 'eps'], to: Object.keys(DEVICES) }] }
