import type { UnknownKeys } from './authenticate.js'
import type { RedisLink } from '../redis/types.js'

/** Unknown keys by the SHA-256 of the key, in Redis; each falls by itself. While Redis does not answer, nothing is known. */
export class RedisUnknownKeys implements UnknownKeys {
  readonly #link: RedisLink

  constructor(link: RedisLink) {
    this.#link = link
  }

  async left(hash: string): Promise<number> {
    // Negative for a key that is not there, and for one that would stand for ever, which none of ours does.
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
