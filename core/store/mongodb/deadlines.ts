import type { HoldField } from './documents.js'
import type { Update } from './table.js'

/** Sets `dl` to the earliest deadline of the holds; removes it when there are none. */
export function earliest(holds: Readonly<Record<string, Pick<HoldField, 'dl'>>>): Update {
  const deadlines = Object.values(holds).map(({ dl }) => dl)
  return deadlines.length === 0 ? { $unset: { dl: 1 } } : { $set: { dl: deadlines.reduce((least, one) => Math.min(least, one)) } }
}
