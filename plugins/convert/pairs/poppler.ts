import { TARGETS } from '../engines/poppler/targets.js'
import type { Pairs } from './pairs.js'

export const POPPLER: Pairs = { vendor: 'poppler', groups: [{ from: ['pdf'], to: Object.keys(TARGETS) }] }
