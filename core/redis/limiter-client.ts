import { integers, script } from './script.js'
import type { RedisLink, Script } from './types.js'

/** KEYS count. Reply: count, 0 where there is none, and ms left. */
const LOOK = script(`return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}`)

/** Replies in the form of ioredis: error and value of each command. */
type Replies = [[null, number | null], [null, number]]

/**
 * What rate-limiter-flexible asks of an ioredis client, over a link that waits 50 ms at most. Rejects while Redis does not answer,
 * whereupon the limiter asks its insurance.
 */
export class LimiterClient {
  readonly #link: RedisLink
  #count: Script | null = null

  constructor(link: RedisLink) {
    this.#link = link
  }

  /** The library defines one command, the script that counts. */
  defineCommand(_name: string, { lua }: { readonly lua: string }): void {
    this.#count = script(lua)
  }

  /** Counts. The key comes first, then the script's arguments. */
  async rlflxIncr([key = '', ...args]: readonly string[]): Promise<number[]> {
    if (this.#count === null) throw new TypeError('the limiter has defined no script')
    return await this.#ask(this.#count, key, args)
  }

  /** One transaction of the library: count and time left of one key. */
  multi(): { get(key: string): { pttl(key: string): { exec(): Promise<Replies> } } } {
    return { get: (key) => ({ pttl: () => ({ exec: () => this.#look(key) }) }) }
  }

  async #look(key: string): Promise<Replies> {
    const [count = 0, left = 0] = await this.#ask(LOOK, key, [])
    return [
      [null, count === 0 ? null : count],
      [null, left],
    ]
  }

  async #ask(what: Script, key: string, args: readonly string[]): Promise<number[]> {
    const reply = integers(await this.#link.run(what, [key], args), 2)
    if (reply === null) throw new Error('Redis does not answer')
    return reply
  }
}
