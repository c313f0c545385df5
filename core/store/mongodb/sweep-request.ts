export interface SweepRequest {
  readonly now: number
  readonly graceMs: number
  readonly owner: string
  readonly deadOwners: readonly string[] | 'all-but-owner'
}

/** Concurrent commands: a sweep must leave connections for calls. */
const CONCURRENT = 8

/** Runs `work` for each item, some concurrently; returns the sum of the results. */
export async function sumOver<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  let sum = 0
  for (let at = 0; at < items.length; at += CONCURRENT) {
    for (const one of await Promise.all(items.slice(at, at + CONCURRENT).map(work))) sum += one
  }
  return sum
}
