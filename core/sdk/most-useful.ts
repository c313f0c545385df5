import { Fault } from './fault.js'

/**
 * A provider that could not look says less than one that failed. A vendor's `invalid` comes last: another might take the request; our own ends the
 * call before.
 */
const ORDER = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken', 'inconclusive', 'invalid']

/** Of several failures the one most useful to the caller; of busy ones the shortest wait. */
export function mostUseful(faults: readonly Fault[]): Fault {
  const [first, ...rest] = faults
  if (first === undefined) return new Fault('broken', 'No provider could be asked.')
  return rest.reduce((best, fault) => {
    const difference = rank(fault) - rank(best)
    if (difference !== 0) return difference < 0 ? fault : best
    return (fault.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? fault : best
  }, first)
}

function rank({ kind, inconclusive }: Fault): number {
  return ORDER.indexOf(kind === 'missing' && inconclusive ? 'inconclusive' : kind)
}
