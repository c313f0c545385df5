import { Fault } from '../sdk/index.js'

/** A vendor's word that the request is wrong comes last: another might take it. Our own ends the call before. */
const ORDER = ['blocked', 'missing', 'busy', 'quota', 'credentials', 'broken', 'invalid']

/** Of several failures the one most useful to the caller; of busy ones the shortest wait. */
export function mostUseful(faults: readonly Fault[]): Fault {
  const [first, ...rest] = faults
  if (first === undefined) return new Fault('broken', 'No provider could be asked.')
  return rest.reduce((best, fault) => {
    const difference = ORDER.indexOf(fault.kind) - ORDER.indexOf(best.kind)
    if (difference !== 0) return difference < 0 ? fault : best
    return (fault.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? fault : best
  }, first)
}
