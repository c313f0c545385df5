/** Something to choose and how often it is chosen beside the others. */
export interface Weighted<T> {
  readonly value: T
  readonly weight: number
}

/** Choices that follow from a seed: the same seed gives the same choices in the same order, on every machine. */
export class Chance {
  #state: number

  /** A seed of 32 bits. */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, not including, 1. Mulberry32 (Tommy Ettinger, public domain). */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A number from `least` up to `most`. */
  between(least: number, most: number): number {
    return least + this.number() * (most - least)
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.number() < probability
  }

  /** One of a list. Throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.number() * list.length)]
    if (value === undefined) throw new RangeError('there is nothing to choose from')
    return value
  }

  /** One of a list by weight; the last where all weights are 0. Throws RangeError for an empty list. */
  weighted<T>(list: readonly Weighted<T>[]): T {
    let left = this.number() * list.reduce((sum, { weight }) => sum + weight, 0)
    const found = list.find(({ weight }) => (left -= weight) < 0) ?? list.at(-1)
    if (found === undefined) throw new RangeError('there is nothing to choose from')
    return found.value
  }

  /** Choices of their own for a part of the work, so that more choices in one part change nothing in another. */
  branch(name: string): Chance {
    let hash = this.#state ^ 0x811c9dc5
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
    return new Chance(hash)
  }
}
