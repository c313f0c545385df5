import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { Fault } from '../sdk/index.js'

const MAX_WAIT_MS = 5000

interface Waiting {
  readonly go: () => void
}

/** A bounded number of places with a short queue, so that a flood of jobs is refused rather than piled up. */
export class Slots {
  readonly #clock: Clock
  readonly #size: number
  readonly #queueSize: number
  readonly #queue: Waiting[] = []
  #used = 0

  /** `queue` is how many may wait when all `size` places are taken. */
  constructor(clock: Clock, size: number, queue: number = size * 2) {
    this.#clock = clock
    this.#size = Math.max(1, size)
    this.#queueSize = queue
  }

  /** Waits at most 5 s for a place and returns the function that gives it back. Throws Fault `busy` when there is none. */
  async take(cancel: Cancel): Promise<() => void> {
    if (cancel.cancelled) throw new Fault('busy', 'the call was over before the program could start')
    if (this.#used < this.#size) this.#used += 1
    else await this.#wait(cancel)
    let given = true
    return () => {
      if (given) this.#giveBack()
      given = false
    }
  }

  #wait(cancel: Cancel): Promise<void> {
    if (this.#queue.length >= this.#queueSize)
      throw new Fault('busy', 'all places for programs and their queue are full', { retryAfterSeconds: 5 })
    return new Promise((resolve, reject) => {
      const leave = (message: string): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        stop()
        forget()
        reject(new Fault('busy', message, { retryAfterSeconds: 5 }))
      }
      const waiting: Waiting = {
        go: () => {
          stop()
          forget()
          resolve()
        },
      }
      this.#queue.push(waiting)
      const stop = this.#clock.after(MAX_WAIT_MS, () => leave('no place for the program became free in time'))
      const forget = cancel.onCancel(() => leave('the call was over before a place for the program became free'))
    })
  }

  #giveBack(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#used -= 1
    else next.go()
  }
}
