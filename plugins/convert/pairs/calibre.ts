import { READS, WRITES } from '../engines/calibre/formats.js'
import type { Pairs } from './pairs.js'

export const CALIBRE: Pairs = { vendor: 'calibre', groups: [{ from: READS, to: WRITES }] }
