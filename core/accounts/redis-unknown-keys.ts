import type { UnknownKeys } from './authenticate.js'
import type { RedisLink } from '../redis/types.js'

/** Unknown keys by SHA-256, in Redis, with an expiry. While Redis does not answer, no key counts as unknown. */
export class RedisUnknownKeys implements UnknownKeys {
  readonly #link: RedisLink

  constructor(link: RedisLink) {
    this.#link = link
  }

  async left(hash: string): Promise<number> {
    // PTTL is negative for a missing key, and for one without an expiry, which ours always have.
    const left = await this.#link.call('PTTL', name(hash))
    return typeof left === 'number' ? Math.max(0, left) : 0
  }

  add(hash: string, ms: number): void {
    void this.#link.call('SET', name(hash), '', 'PX', ms)
  }
}

function name(hash: string): string {
  return `capstan:unknown:${hash}`
}
