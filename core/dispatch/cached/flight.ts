import { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { settledOrStopped } from '../../problems/errors.js'

/** A running load and the number of calls that wait for it. It stops at its deadline and when no call waits for it. */
export class Flight {
  readonly cancel: Cancel
  readonly #work: Promise<string>
  #waiting = 0

  /** `ended` is called when the load has ended or accepts no further calls. */
  constructor(
    clock: Clock,
    { deadline, caller, patienceMs }: Pick<Cancel, 'deadline' | 'caller' | 'patienceMs'>,
    { work, ended }: { readonly work: (cancel: Cancel) => Promise<string>; readonly ended: () => void },
  ) {
    this.cancel = new Cancel(clock, deadline, caller, patienceMs)
    const stop = clock.after(this.cancel.timeLeft(), () => this.cancel.cancel('deadline'))
    this.cancel.onCancel(ended)
    this.#work = settledOrStopped(work(this.cancel), this.cancel).finally(() => {
      stop()
      ended()
    })
    // `join` passes the failure to the waiting calls.
    this.#work.catch(() => undefined)
  }

  /** The loaded text. Rejects as the load does, or with Stopped when the waiting call is stopped first. */
  async join(cancel: Cancel): Promise<string> {
    this.#waiting++
    try {
      return await settledOrStopped(this.#work, cancel)
    } finally {
      this.#waiting--
      // No effect on a load that has settled.
      if (this.#waiting === 0) this.cancel.cancel('over')
    }
  }
}
