/** Numbers that follow from a seed (mulberry32), so that an invoice is the same each time. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  some<T>(values: readonly T[], count: number): T[] {
    return [...values]
      .map((value) => ({ value, key: this.next() }))
      .sort((one, two) => one.key - two.key)
      .slice(0, count)
      .map(({ value }) => value)
  }
}
