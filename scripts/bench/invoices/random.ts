/** Numbers that are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** Whole, both ends included. */
  whole(from: number, to: number): number
  pick<Value>(values: readonly Value[]): Value
  /** So many different ones, in a drawn order. */
  several<Value>(values: readonly Value[], count: number): Value[]
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <Value>(values: readonly Value[]): Value => {
    const picked = values[whole(0, values.length - 1)]
    if (picked === undefined) throw new Error('Nothing to pick from.')
    return picked
  }
  const several = <Value>(values: readonly Value[], count: number): Value[] => {
    const left = [...values]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)).flat()
  }
  return { next, whole, pick, several }
}
