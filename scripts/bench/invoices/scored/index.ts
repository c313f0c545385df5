import type { InvoiceSet } from '../types.js'
import { classic } from './classic.js'
import { letterhead } from './letterhead.js'
import { slip } from './slip.js'

/** The layouts that the parser is scored by. Authors of the parser do not inspect them; `open` has those to work with. */
export const scored: readonly InvoiceSet[] = [classic, letterhead, slip]
