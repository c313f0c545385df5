import { Problem } from './problem.js'
import { Fault } from '../sdk/index.js'
import type { NoPlace } from '../runtime/semaphore.js'

/** The Fault of a provider that gets no slot in a queue of the gateway: the next one is tried, none is suspended, and without another the call is `overloaded`. */
export function noPlaceFault({ retryAfterSeconds }: NoPlace, sentence: string, ambiguous = false): Fault {
  return new Fault('busy', sentence, {
    ambiguous,
    unavailable: true,
    obstacle: 'queue',
    retryAfterSeconds,
    cause: new Problem('overloaded', sentence, { retryAfterSeconds }),
  })
}
