import type { InvoiceSet } from '../types.js'
import { classic } from './classic.js'
import { letterhead } from './letterhead.js'
import { slip } from './slip.js'

/** The layouts that the parser is scored by. Whoever works on the parser does not look at them; `open` has those to work with. */
export const scored: readonly InvoiceSet[] = [classic, letterhead, slip]
