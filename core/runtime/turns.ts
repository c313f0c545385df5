import { addressRange } from './address-range.js'

/** Time for such work in one turn, in milliseconds, and most pieces of postponed work in it. */
const TURN_MS = 2
const MOST = 128
/** After so many turns in a row that accepted a connection, work waits this long for others, in milliseconds. */
const BURST = 8
const BURST_MS = 200

/**
 * Spreads the work of a server's connections over turns of the event loop, since Node begins everything that has arrived
 * in one: hundreds of requests at once, or answers that as many buffers of the kernel accept, would delay all others.
 * Work is done at once while its turn has time; what is postponed is done in order, the addresses of peers in rotation.
 */
export class Turns {
  readonly #due = new Map<string, (() => void)[]>()
  #count = 0
  /** When the time of the turn is over; 0 before its first piece of postponed work. */
  #end = 0
  #scheduled = false
  #held = false
  #accepted = false
  #acceptedInRow = 0
  #burstEnd = -Infinity

  /** `pauseMs`: between turns, for work that must leave the event loop to other work; else each of its turns is one. */
  constructor(private readonly pauseMs = 0) {}

  /**
   * `address`: of the peer, undefined when it has disconnected. `urgent` work is postponed by `hold` alone; `next` work
   * goes before the other work of its address.
   */
  run(address: string | undefined, work: () => void, order?: 'urgent' | 'next'): void {
    this.#schedule(TURN_MS)
    if (!this.#held && (order === 'urgent' || (this.#count === 0 && performance.now() < this.#end))) return work()
    this.#count++
    const range = addressRange(address ?? '')
    const waiting = this.#due.get(range)
    if (waiting === undefined) this.#due.set(range, [work])
    else if (order === 'next') waiting.unshift(work)
    else waiting.push(work)
  }

  /** Call for each new connection: libuv accepts one a turn, so that work between them delays all those that wait. */
  accepted(): void {
    this.#schedule(TURN_MS)
    this.#accepted = true
  }

  /** Postpones all work until it is called with false. */
  hold(held: boolean): void {
    this.#held = held
    this.#schedule(TURN_MS)
  }

  /** Prepares the next turn; `ms`: time that this one still has. */
  #schedule(ms: number): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#end = ms === 0 ? 0 : performance.now() + ms
    if (this.pauseMs === 0) setImmediate(this.#turn)
    else setTimeout(this.#turn, this.pauseMs)
  }

  readonly #turn = (): void => {
    this.#scheduled = false
    const burst = this.#inBurst()
    if ((this.#count === 0 && !burst) || this.#held) return
    // One immediate for each piece: Node writes to its connection after it.
    if (!burst) for (let piece = Math.min(MOST, this.#count); piece > 0; piece--) setImmediate(this.#next)
    this.#schedule(0)
  }

  /** True while connections probably wait to be accepted, at most half of the time. */
  #inBurst(): boolean {
    this.#acceptedInRow = this.#accepted ? this.#acceptedInRow + 1 : 0
    this.#accepted = false
    if (this.#acceptedInRow < BURST) return false
    const now = performance.now()
    if (now >= this.#burstEnd + BURST_MS) this.#burstEnd = now + BURST_MS
    return now < this.#burstEnd
  }

  readonly #next = (): void => {
    const [first] = this.#due
    if (first === undefined || this.#held) return
    if (this.#end === 0) this.#end = performance.now() + TURN_MS
    else if (performance.now() >= this.#end) return
    const [range, waiting] = first
    const work = waiting.shift()
    this.#count--
    this.#due.delete(range)
    if (waiting.length > 0) this.#due.set(range, waiting)
    work?.()
  }
}
