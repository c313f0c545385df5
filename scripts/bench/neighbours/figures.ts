/** Figures of the calls of one kind, times in milliseconds. */
export interface Figures {
  readonly calls: number
  readonly failures: number
  readonly p50: number
  readonly p99: number
}

/** Times of the calls that succeeded, in milliseconds, and how many failed. */
interface Sample {
  readonly times: readonly number[]
  readonly failures: number
}

/** The nearest-rank quantile of values in any order, `share` between 0 and 1; NaN of no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

/** The figures of a sample. */
export function figuresOf({ times, failures }: Sample): Figures {
  return { calls: times.length + failures, failures, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

/** The p99 of some calls divided by the p99 of the quiet ones; Infinity when no call of either succeeded. */
export function ratio(beside: Figures, quiet: Figures): number {
  const found = beside.p99 / quiet.p99
  return Number.isNaN(found) ? Infinity : found
}

/** The round with the smaller p99, with the calls and failures of both: a failure is never made good by another round. */
export function best(one: Figures, other: Figures): Figures {
  const least = other.p99 < one.p99 || Number.isNaN(one.p99) ? other : one
  return { ...least, calls: one.calls + other.calls, failures: one.failures + other.failures }
}
