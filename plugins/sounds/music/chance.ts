import { Random, seedOf } from '../synth/random.js'

/** Something to choose and how often it is chosen beside the others. */
export interface Weighted<T> {
  readonly value: T
  readonly weight: number
}

/** Choices that follow from a seed: the same seed gives the same choices in the same order, on every machine. */
export class Chance {
  readonly #seed: number
  readonly #random: Random

  /** A seed of 32 bits. */
  constructor(seed: number) {
    this.#seed = seed >>> 0
    this.#random = new Random(this.#seed)
  }

  /** A number from `least` up to, not including, `most`. */
  between(least: number, most: number): number {
    return this.#random.between(least, most)
  }

  /** One of a list. Throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.#random.next() * list.length)]
    if (value === undefined) throw new RangeError('there is nothing to choose from')
    return value
  }

  /** One of a list by weight; the last where all weights are 0. Throws RangeError for an empty list. */
  weighted<T>(list: readonly Weighted<T>[]): T {
    let left = this.#random.next() * list.reduce((sum, { weight }) => sum + weight, 0)
    const found = list.find(({ weight }) => (left -= weight) < 0) ?? list.at(-1)
    if (found === undefined) throw new RangeError('there is nothing to choose from')
    return found.value
  }

  /** Choices of their own for a part of the work, so that more choices in one part change nothing in another. */
  branch(name: string): Chance {
    return new Chance(this.#seed ^ seedOf(name))
  }
}
