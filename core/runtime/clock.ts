/** The gateway's source of time, replaceable in tests. */
export interface Clock {
  /** Wall clock, Unix milliseconds. */
  now(): number
  /** Milliseconds of the monotonic clock, for durations. */
  monotonic(): number
  /** Calls back once after `ms` milliseconds; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
  /** Calls back every `ms` milliseconds; the returned function stops it. Never keeps the process alive. */
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
