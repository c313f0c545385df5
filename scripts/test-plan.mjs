/**
 * Spec files that `npm test` runs by themselves, before the others: they measure time or memory of this machine, which whatever runs
 * beside them would change.
 */
export const ALONE = []

/** Spec files that take longest, begun first so that no process ends long after the others. */
export const LONG = ['plugins/scrape/thorough.spec.ts']
