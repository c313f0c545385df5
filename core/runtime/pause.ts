import type { Cancel, CancelReason } from './cancel.js'
import type { Clock } from './clock.js'

/** Waits so many milliseconds by the clock. Rejects with the error of `stopped` when the work is stopped first. */
export function pause(ms: number, cancel: Cancel, clock: Clock, stopped: (reason: CancelReason) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => {
      forget()
      resolve()
    })
    const forget = cancel.onCancel((reason) => {
      stop()
      reject(stopped(reason))
    })
  })
}
