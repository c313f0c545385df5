import type { Cancel } from '../runtime/cancel.js'
import { noPlaceFault } from '../problems/no-place.js'
import { Fault } from '../sdk/index.js'
import { NoPlace, type Semaphore } from '../runtime/semaphore.js'

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
