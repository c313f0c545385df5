import type { Clock } from '../clock.js'
import { recentlyUsed } from '../recent.js'
import type { RedisLink, Script } from '../redis/types.js'
import { integers, script } from '../redis/script.js'
import { ABORT_WINDOW_MS, MemoryAbortLimit, tooManyAborts, type AbortLimit, type AbortWindow } from './aborts.js'

/** How long the shared count is used without asking again, in milliseconds: a call does not pay a round trip of its own for it. */
const FRESH_MS = 1_000
const MOST_ACCOUNTS = 100_000

/** KEYS count. ARGV window ms. Reply: count, ms left. */
const COUNT = script(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`)

/** KEYS count. Reply: count, ms left; 0 and a negative number when nothing was counted. */
const LOOK = script(`
return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}
`)

export interface RedisAbortOptions {
  readonly link: RedisLink
  readonly clock: Clock
  /** Aborts an account may have in a window, over all replicas. */
  readonly most: number
  /** Replicas that run, at least 1: while Redis does not answer each allows its share. */
  readonly replicas: () => number
}

/** The abort limit that replicas share. Every replica also counts by itself, for the time in which Redis does not answer. */
export class RedisAbortLimit implements AbortLimit {
  readonly #options: RedisAbortOptions
  readonly #local: MemoryAbortLimit
  readonly #shared = recentlyUsed<AbortWindow & { readonly askedAt: number }>(MOST_ACCOUNTS)

  constructor(options: RedisAbortOptions) {
    this.#options = options
    this.#local = new MemoryAbortLimit(options.clock, options.most)
  }

  count(account: string): void {
    this.#local.count(account)
    void this.#ask(COUNT, account)
  }

  async refuse(account: string): Promise<void> {
    const { clock, most, replicas } = this.#options
    const cached = this.#shared.get(account)
    const fresh = cached !== undefined && clock.monotonic() - cached.askedAt < FRESH_MS
    const shared = fresh ? cached : await this.#ask(LOOK, account)
    const window = shared ?? this.#local.window(account)
    if (window === null || window.until <= clock.monotonic()) return
    const allowed = shared === null ? Math.ceil(most / Math.max(1, replicas())) : most
    if (window.count > allowed) throw tooManyAborts(most, window.until - clock.monotonic())
  }

  /** The count that replicas share, or null when Redis did not answer. */
  async #ask(what: Script, account: string): Promise<AbortWindow | null> {
    const { link, clock } = this.#options
    const askedAt = clock.monotonic()
    const reply = integers(await link.run(what, [`capstan:{account:${account}}:aborts`], [ABORT_WINDOW_MS]), 2)
    if (reply === null) return null
    const [count = 0, left = 0] = reply
    const window = { count, until: askedAt + Math.max(0, left), askedAt }
    const known = this.#shared.get(account)
    // Replies may come in any order, and a count never falls within its window.
    if (known === undefined || known.until <= askedAt || known.count <= count) this.#shared.set(account, window)
    return window
  }
}
