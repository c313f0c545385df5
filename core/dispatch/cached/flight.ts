import { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { settledOrStopped } from '../../problems/settled-or-stopped.js'

/** A load under way and how many wait for it: it is stopped at its deadline, and when nobody waits any more. */
export class Flight {
  readonly cancel: Cancel
  readonly #work: Promise<string>
  #waiting = 0

  /** `ended` is told when it is over or nobody is to join it any more. */
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
    // Who waits is told by `join`.
    this.#work.catch(() => undefined)
  }

  /** What was loaded; rejects as the load does, or with Stopped when the one who waits is stopped first. */
  async join(cancel: Cancel): Promise<string> {
    this.#waiting++
    try {
      return await settledOrStopped(this.#work, cancel)
    } finally {
      this.#waiting--
      // A load that has settled hears nothing of it.
      if (this.#waiting === 0) this.cancel.cancel('over')
    }
  }
}
