import { HandClock } from './outbound.js'

/** A clock that goes by itself, `rate` times as fast as the real one. */
export class RunningClock extends HandClock {
  rate = 1
  #at = performance.now()
  readonly #stop = setInterval(() => {
    const gone = Math.floor(performance.now() - this.#at)
    this.advance(gone * this.rate)
    this.#at += gone
  }, 5)

  stop(): void {
    clearInterval(this.#stop)
  }
}
