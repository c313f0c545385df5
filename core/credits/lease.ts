import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { StoreUnavailable, type LeaseStore } from '../store/types.js'

const LEASE_MS = 20_000
/** Renewals per lease: three may fail or be late. */
const BEATS = 4

/**
 * This gateway's lease: while it lasts no sweeper undoes its calls. Renewed by a separate timer, so that a sweep or a
 * slow database cannot make a live gateway appear dead.
 */
export class Lease {
  readonly #store: LeaseStore
  readonly #clock: Clock
  readonly #instance: string
  readonly #log: Log
  #stop: () => void = () => undefined
  #renewing = false

  constructor(store: LeaseStore, clock: Clock, about: { instance: string; log: Log }) {
    this.#store = store
    this.#clock = clock
    this.#instance = about.instance
    this.#log = about.log
  }

  /** Takes the lease and keeps it until `end`. */
  async start(): Promise<void> {
    await this.#store.renew(this.#instance, this.#clock.now(), LEASE_MS)
    this.#stop = this.#clock.every(LEASE_MS / BEATS, () => void this.#renew())
  }

  async #renew(): Promise<void> {
    if (this.#renewing) return
    this.#renewing = true
    try {
      await this.#store.renew(this.#instance, this.#clock.now(), LEASE_MS)
      this.#log('store-back', 'the database answers again')
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#log('store-away', 'the database does not answer', { error: error.message })
      else
        this.#log('lease-not-renewed', 'the lease of this gateway could not be renewed and will be tried again', { error: String(error) })
    } finally {
      this.#renewing = false
    }
  }

  /** Ends the lease, unless work of this gateway is left: the lease then expires, and a sweeper finishes the work. */
  async end(left: { readonly unsettled: number }): Promise<void> {
    this.#stop()
    const ended = left.unsettled === 0 && (await this.#store.end(this.#instance))
    if (!ended) this.#log('lease-left', 'the lease was left to expire: a sweeper will settle what this gateway could not', { ...left })
  }
}
