interface Waiting {
  readonly at: number
  readonly end: () => void
}

/** Real milliseconds without any wait after which a run is taken for stuck; modules and threads are loaded in real time. */
const MOST_IDLE_MS = 20_000

/** Time that passes when nothing else happens: a run of a minute takes as long as its work. */
export class VirtualClock {
  #now = 0
  #waiting: Waiting[] = []
  /** Real work under way, during which no time passes. */
  #working = 0

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now
  }

  /** Resolves when the time has passed, or rejects with the reason of the signal. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const at = this.#now + Math.max(0, ms)
      const waiting = { at, end: resolve }
      this.#waiting.push(waiting)
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'))
      }
      if (signal?.aborted === true) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    })
  }

  /** Work in real time, such as loading a module: no time passes meanwhile. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#working++
    try {
      return await work
    } finally {
      this.#working--
    }
  }

  /** Lets time pass until the task has ended. */
  async until<T>(task: Promise<T>): Promise<T> {
    const state = { ended: false }
    const done = task.finally(() => (state.ended = true))
    done.catch(() => undefined)
    let idleSince: number | null = null
    while (!state.ended) {
      // All that can go on without time goes on first.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (state.ended) break
      const next = this.#waiting.reduce<Waiting | null>((first, other) => (first === null || other.at < first.at ? other : first), null)
      if (next === null || this.#working > 0) {
        idleSince ??= performance.now()
        if (performance.now() - idleSince > MOST_IDLE_MS) throw new Error('The run waits for something that does not come.')
        continue
      }
      idleSince = null
      this.#waiting = this.#waiting.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.end()
    }
    return await done
  }
}
