import { addressId } from '../limits/rate.js'

/** Time for such work in one turn, in milliseconds. */
const TURN_MS = 2
/** Most pieces of postponed work in one turn. */
const MOST = 32

/**
 * Spreads the work of a server's connections over turns of the event loop, since Node begins everything that has arrived
 * in one: hundreds of requests at once, or answers that as many buffers of the kernel accept, would delay all others.
 * Work is done at once while its turn has time; what is postponed is done in order, the addresses of peers in rotation.
 */
export class Turns {
  readonly #due = new Map<string, (() => void)[]>()
  /** When the time of the turn is over; 0 before its first piece of postponed work. */
  #end = 0
  #scheduled = false
  #held = false

  /** `pauseMs`: between turns, for work that must leave the event loop to other work; else each of its turns is one. */
  constructor(private readonly pauseMs = 0) {}

  /** `address`: of the peer, undefined when it has disconnected. */
  run(address: string | undefined, work: () => void): void {
    if (!this.#scheduled) {
      this.#end = performance.now() + TURN_MS
      this.#schedule()
    }
    if (this.#due.size === 0 && !this.#held && performance.now() < this.#end) return work()
    const id = addressId(address ?? '')
    const waiting = this.#due.get(id)
    if (waiting === undefined) this.#due.set(id, [work])
    else waiting.push(work)
  }

  /** Postpones all work until `release`. */
  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
    if (!this.#scheduled) this.#schedule()
  }

  #schedule(): void {
    this.#scheduled = true
    if (this.pauseMs === 0) setImmediate(this.#turn)
    else setTimeout(this.#turn, this.pauseMs)
  }

  readonly #turn = (): void => {
    this.#scheduled = false
    if (this.#due.size === 0 || this.#held) return
    this.#end = 0
    // One immediate for each piece: Node writes to its connection after it.
    for (let count = 0; count < MOST; count++) setImmediate(this.#next)
    this.#schedule()
  }

  readonly #next = (): void => {
    const [first] = this.#due
    if (first === undefined || this.#held) return
    if (this.#end === 0) this.#end = performance.now() + TURN_MS
    else if (performance.now() >= this.#end) return
    const [id, waiting] = first
    const work = waiting.shift()
    this.#due.delete(id)
    if (waiting.length > 0) this.#due.set(id, waiting)
    work?.()
  }
}
