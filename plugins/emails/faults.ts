import type { Fault } from '../../core/sdk/index.js'

/** What the caller can do something about comes first. */
const ORDER = ['busy', 'missing', 'blocked', 'quota', 'credentials', 'broken', 'invalid']

/** Of the failures of several vendors the one that is most useful to the caller; undefined when there is none. */
export function mostUseful(faults: readonly Fault[]): Fault | undefined {
  return [...faults].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))[0]
}
