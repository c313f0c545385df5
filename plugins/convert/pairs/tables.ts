import type { Pairs } from './pairs.js'

/** Text tables to records and back. */
export const TABLES: Pairs = {
  vendor: 'tables',
  groups: [
    { from: ['csv', 'tsv'], to: ['json'] },
    { from: ['json'], to: ['csv', 'tsv'] },
  ],
}
