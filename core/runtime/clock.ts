/** Time as the gateway sees it, replaceable in tests. */
export interface Clock {
  /** Wall clock, Unix milliseconds. */
  now(): number
  /** Milliseconds of a clock that never jumps, for durations. */
  monotonic(): number
  /** Calls back once, after so many milliseconds; the returned function cancels. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
  /** Calls back again and again; the returned function stops it. Never keeps the process alive. */
  every(ms: number, callback: () => void): () => void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  every: (ms, callback) => {
    const timer = setInterval(callback, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
