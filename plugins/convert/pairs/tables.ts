import type { Pairs } from './pairs.js'

/** Tables of text into records and back. */
export const TABLES: Pairs = {
  vendor: 'tables',
  groups: [
    { from: ['csv', 'tsv'], to: ['json'] },
    { from: ['json'], to: ['csv', 'tsv'] },
  ],
}
