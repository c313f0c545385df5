/** A seeded pseudorandom generator: mulberry32, with 32 bits of state. Not for secrets. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** -1 to below 1. */
  signed(): number {
    return this.next() * 2 - 1
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** The time in seconds until the next of independent events at `rate` per second. */
  gap(rate: number): number {
    return -Math.log(1 - this.next()) / rate
  }

  /** An independent sequence, which consumes one number of this one. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4_294_967_296))
  }
}

/** 32 bits of a text, FNV-1a over its UTF-16 units. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
