import type { Cancel } from '../runtime/cancel.js'
import { NoPlace, type Semaphore } from '../runtime/semaphore.js'
import { Fault } from '../sdk/fault.js'
import { Problem } from './problem.js'

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

/** Takes a slot for a program or thread. Fault `busy` (`overloaded` for the caller) when none is free in time. */
export async function takePlace(places: Semaphore, cancel: Cancel, what: 'program' | 'thread'): Promise<() => void> {
  try {
    return await places.take(cancel)
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error
    const { reason } = error
    if (reason !== 'full' && reason !== 'late') throw new Fault('busy', `the call was over before a slot for the ${what} became free`)
    throw noPlaceFault(error, `No slot for the ${what} becomes free in time.`)
  }
}
