import type { Clock } from '../runtime/clock.js'
import type { LoginGuard } from './authenticate.js'
import { Problem } from '../problems/problem.js'
import { recentlyUsed, type Recent } from '../runtime/recent.js'
import { addressRange } from '../runtime/address-range.js'
import { EventLimit, type EventLimitOptions } from '../limits/event-limit.js'

const REMEMBER_MS = 86_400_000
const MOST_ADDRESSES = 100_000
/** Failed look-ups a second of the whole gateway, above which unknown keys are refused for a second. */
const VALVE_PER_SECOND = 1_000

interface FailedLoginOptions {
  /** Failures of one address within the window from which on it is refused. */
  readonly most: number
  readonly windowSeconds: number
  readonly shared?: EventLimitOptions['shared']
}

/**
 * Counts failed logins by address (IPv6 by /64). Only failures count, and a key that has worked from an address is
 * still accepted from there. A replica receives the others' count with the address's next failure.
 */
export class FailedLogins implements LoginGuard {
  readonly #clock: Clock
  readonly #failures: EventLimit
  readonly #workedBefore: Recent<true>
  #second = 0
  #inSecond = 0

  constructor(clock: Clock, { most, windowSeconds, shared = null }: FailedLoginOptions) {
    this.#clock = clock
    this.#failures = new EventLimit({ name: 'logins', clock, allowed: most - 1, windowSeconds, shared })
    this.#workedBefore = recentlyUsed(MOST_ADDRESSES, { ttl: REMEMBER_MS, perf: { now: () => clock.monotonic() } })
  }

  admit(address: string, hash: string): void {
    const range = addressRange(address)
    if (this.#workedBefore.get(`${range} ${hash}`) === true) return
    this.refuseBlocked(address)
    if (this.#second === this.#thisSecond() && this.#inSecond >= VALVE_PER_SECOND)
      throw new Problem('rate-limited', 'The gateway is refusing unknown keys for a moment: too many failed logins.', {
        retryAfterSeconds: 1,
      })
  }

  /** Throws when the address has failed too often. */
  refuseBlocked(address: string): void {
    const failures = this.#failures.known(addressRange(address))
    if (failures?.exceeded !== true) return
    const seconds = Math.max(1, Math.ceil((failures.until - this.#clock.monotonic()) / 1000))
    throw new Problem(
      'rate-limited',
      `Too many failed logins from this address; keys it has not used before are refused for ${seconds} seconds.`,
      { retryAfterSeconds: seconds },
    )
  }

  failed(address: string): void {
    const second = this.#thisSecond()
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1
    this.#second = second
    void this.#failures.count(addressRange(address))
  }

  worked(address: string, hash: string): void {
    this.#workedBefore.set(`${addressRange(address)} ${hash}`, true)
  }

  #thisSecond(): number {
    return Math.floor(this.#clock.monotonic() / 1000)
  }
}
