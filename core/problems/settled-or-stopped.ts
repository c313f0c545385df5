import type { Cancel } from '../runtime/cancel.js'
import { Stopped } from './errors.js'

/** What the work settles to, or Stopped as soon as it is stopped. */
export function settledOrStopped<T>(work: Promise<T>, cancel: Cancel): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancel.onCancel((reason) => reject(new Stopped(reason)))
    // Removed first: whoever waits may cancel at once, and an error with its stack would be made in vain.
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
