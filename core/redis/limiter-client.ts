import { integers, type RedisLink, script, type Script } from './types.js'

/** KEYS count. Reply: count, 0 when missing, and ms left. */
const READ = script(`return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])}`)

/** Replies in the form of ioredis: error and value of each command. */
type Replies = [[null, number | null], [null, number]]

/**
 * The methods of an ioredis client that rate-limiter-flexible calls, over a link that waits 50 ms at most. Rejects
 * while Redis does not answer; the limiter then uses its insurance limiter.
 */
export class LimiterClient {
  readonly #link: RedisLink
  #count: Script | null = null

  constructor(link: RedisLink) {
    this.#link = link
  }

  /** The library defines one command, the counting script. */
  defineCommand(_name: string, { lua }: { readonly lua: string }): void {
    this.#count = script(lua)
  }

  /** Counts. The key comes first, then the script's arguments. */
  async rlflxIncr([key = '', ...args]: readonly string[]): Promise<number[]> {
    if (this.#count === null) throw new TypeError('the limiter did not define its script')
    return await this.#run(this.#count, key, args)
  }

  /** The library's transaction that reads count and time left of a key. */
  multi(): { get(key: string): { pttl(key: string): { exec(): Promise<Replies> } } } {
    return { get: (key) => ({ pttl: () => ({ exec: () => this.#read(key) }) }) }
  }

  async #read(key: string): Promise<Replies> {
    const [count = 0, left = 0] = await this.#run(READ, key, [])
    return [
      [null, count === 0 ? null : count],
      [null, left],
    ]
  }

  async #run(what: Script, key: string, args: readonly string[]): Promise<number[]> {
    const reply = integers(await this.#link.run(what, [key], args), 2)
    if (reply === null) throw new Error('Redis does not answer')
    return reply
  }
}
