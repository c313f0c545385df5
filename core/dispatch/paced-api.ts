import { type Cancel, pause } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import type { VendorTurns } from '../limits/vendor-pace.js'
import { noPlaceFault } from '../problems/no-place.js'
import type { Call, Pace } from '../sdk/index.js'
import { NoPlace, Semaphore } from '../runtime/semaphore.js'
import { RequestStopped } from '../outbound/exchange.js'
import type { Api, ApiOptions, ApiStream } from '../outbound/types.js'
import type { VendorAccess } from '../sdk/host.js'

/** Interval of requests for a slot while all are taken, in milliseconds. */
const RETRY_MS = 50
/** The lease of a slot ends this long after its call's deadline, in milliseconds. */
const LEASE_SPARE_MS = 1_000
const LATE = 'Too many requests to this vendor are queued for the remaining time.'

/**
 * Limits requests to the pace that a vendor declares. Requests wait for their turn, fairly by caller, at most half of
 * the time that their call has left.
 */
export class PacedApi implements Api {
  readonly #api: Api
  readonly #clock: Clock
  readonly #turns: VendorTurns
  /** By vendor: the holder takes the next turn, so that turns are taken in fair order. */
  readonly #heads = new Map<string, Semaphore>()

  constructor(api: Api, clock: Clock, turns: VendorTurns) {
    this.#api = api
    this.#clock = clock
    this.#turns = turns
  }

  request(access: VendorAccess, call: Call, cancel: Cancel, options: ApiOptions): ReturnType<Api['request']> {
    const { pace } = access.vendor
    const request = (): ReturnType<Api['request']> => this.#api.request(access, call, cancel, options)
    if (pace === undefined) return request()
    return this.#turn(access.vendor.id, pace, cancel).then((leave) => request().finally(leave))
  }

  async stream(access: VendorAccess, call: Call, cancel: Cancel, options: ApiOptions): Promise<ApiStream> {
    const { id, pace } = access.vendor
    if (pace === undefined) return await this.#api.stream(access, call, cancel, options)
    const leave = await this.#turn(id, pace, cancel)
    let stays = false
    try {
      const reply = await this.#api.stream(access, call, cancel, options)
      stays = 'body' in reply
      // A file occupies its slot until it has been received.
      if ('body' in reply) reply.body.once('close', leave)
      return reply
    } finally {
      if (!stays) leave()
    }
  }

  async close(): Promise<void> {
    await this.#api.close()
  }

  /**
   * Waits for a turn. Rejects with RequestStopped when cancelled first, and with a Fault `busy` (`overloaded` for the caller)
   * when none is free in time; nothing was sent then.
   */
  async #turn(id: string, pace: Pace, cancel: Cancel): Promise<() => void> {
    const until = this.#clock.monotonic() + Math.min(cancel.patienceMs, cancel.timeLeft() / 2)
    const next = await this.#head(id, cancel)
    let leave: () => void = () => undefined
    try {
      for (;;) {
        const mostMs = until - this.#clock.monotonic()
        const turn = await this.#turns.take(id, pace, { mostMs, leaseMs: cancel.timeLeft() + LEASE_SPARE_MS })
        if (turn.taken === 'late' || (turn.taken === 'full' && mostMs <= RETRY_MS))
          throw late(turn.taken === 'late' ? turn.waitMs : RETRY_MS)
        if (turn.taken === 'yes') leave = turn.leave
        const waitMs = turn.taken === 'yes' ? turn.waitMs : RETRY_MS
        if (waitMs > 0) await pause(waitMs, cancel, this.#clock, (reason) => new RequestStopped(reason))
        if (turn.taken === 'yes') return leave
      }
    } catch (error) {
      leave()
      throw error
    } finally {
      next()
    }
  }

  /** Turns are immediate until the allowance is used up, so the assumed duration of an unknown one is 0. */
  async #head(id: string, cancel: Cancel): Promise<() => void> {
    const head = this.#heads.get(id) ?? new Semaphore(this.#clock, 1, { unknownRunMs: 0 })
    this.#heads.set(id, head)
    try {
      return await head.take(cancel)
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error
      const { reason } = error
      throw reason === 'full' || reason === 'late' ? noPlaceFault(error, LATE) : new RequestStopped(reason)
    }
  }
}

function late(waitMs: number): unknown {
  return noPlaceFault(new NoPlace('late', waitMs), LATE)
}
