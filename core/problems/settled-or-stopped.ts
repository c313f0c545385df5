import type { Cancel } from '../runtime/cancel.js'
import { Stopped } from './errors.js'

/** The work's outcome, or Stopped as soon as it is cancelled. */
export function settledOrStopped<T>(work: Promise<T>, cancel: Cancel): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancel.onCancel((reason) => reject(new Stopped(reason)))
    // Removed first: the caller may cancel at once, which would create an unused error.
    work.then(
      (value) => {
        forget()
        resolve(value)
      },
      (error: Error) => {
        forget()
        reject(error)
      },
    )
  })
}
