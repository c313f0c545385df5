import { Random, seedOf } from '../synth/random.js'

/** A choice with its weight. */
export interface Weighted<T> {
  readonly value: T
  readonly weight: number
}

/** Choices derived from a seed: the same seed gives the same choices in the same order, on every machine. */
export class Chance {
  readonly #seed: number
  readonly #random: Random

  /** A 32-bit seed. */
  constructor(seed: number) {
    this.#seed = seed >>> 0
    this.#random = new Random(this.#seed)
  }

  /** A number from `least` to below `most`. */
  between(least: number, most: number): number {
    return this.#random.between(least, most)
  }

  /** A random element. Throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.#random.next() * list.length)]
    if (value === undefined) throw new RangeError('there is nothing to choose from')
    return value
  }

  /** A weighted random element; the last when all weights are 0. Throws RangeError for an empty list. */
  weighted<T>(list: readonly Weighted<T>[]): T {
    let left = this.#random.next() * list.reduce((sum, { weight }) => sum + weight, 0)
    const found = list.find(({ weight }) => (left -= weight) < 0) ?? list.at(-1)
    if (found === undefined) throw new RangeError('there is nothing to choose from')
    return found.value
  }

  /** Separate choices for a part of the work, so that more choices in one part do not affect another. */
  branch(name: string): Chance {
    return new Chance(this.#seed ^ seedOf(name))
  }
}
