import type { EntryKind, Milli } from './types.js'

/** What of the overage a debit of this kind may not use, in thousandths: a correction takes neither what is held nor what the account was never given. */
export function ownOnly(kind: EntryKind, overage: Milli): Milli {
  return kind === 'adjust' ? overage : 0
}
