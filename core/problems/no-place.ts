import { Problem } from './problem.js'
import { Fault } from '../sdk/index.js'
import type { NoPlace } from '../runtime/semaphore.js'

/** What a provider fails with when it gets no place in a queue of ours: the next one is asked, nobody is suspended, and without another the call is `overloaded`. */
export function noPlaceFault({ retryAfterSeconds }: NoPlace, sentence: string, ambiguous = false): Fault {
  return new Fault('busy', sentence, {
    ambiguous,
    unavailable: true,
    obstacle: 'queue',
    retryAfterSeconds,
    cause: new Problem('overloaded', sentence, { retryAfterSeconds }),
  })
}
