export interface SweepRequest {
  readonly now: number
  readonly graceMs: number
  readonly owner: string
  readonly deadOwners: readonly string[] | 'all-but-owner'
}

/** Commands under way at once: a sweep must not take the connections from calls. */
const ABREAST = 8

/** Does the same for each, some at once; answers the sum. */
export async function sumOver<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  let sum = 0
  for (let at = 0; at < items.length; at += ABREAST) {
    for (const one of await Promise.all(items.slice(at, at + ABREAST).map(work))) sum += one
  }
  return sum
}
