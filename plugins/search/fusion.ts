import type { Organic } from './contract.js'
import { pageKey } from './result.js'

/**
 * Lowers the differences between ranks: the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009,
 * https://doi.org/10.1145/1571941.1572114).
 */
const K = 60

/**
 * Merges several lists by reciprocal rank fusion: a page scores the sum of 1 (60 + rank) over its lists, so that
 * pages ranked high in several lists come first; equal scores keep the order of the lists. Addresses of the same page
 * are merged; https is preferred, and a missing snippet is taken from another list. Renumbered and cut to the wanted
 * number.
 */
export function fused(lists: readonly (readonly Organic[])[], wanted: number): Organic[] {
  const pages = new Map<string, { page: Organic; score: number }>()
  for (const list of lists)
    for (const [at, page] of list.entries()) {
      const key = pageKey(page.url)
      const before = pages.get(key)
      const score = 1 / (K + at + 1)
      pages.set(key, before === undefined ? { page, score } : { page: better(before.page, page), score: before.score + score })
    }
  return [...pages.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, wanted)
    .map(({ page }, at) => ({ ...page, position: at + 1 }))
}

function better(one: Organic, other: Organic): Organic {
  const url = one.url.startsWith('http:') && other.url.startsWith('https:') ? other.url : one.url
  return { ...one, url, snippet: one.snippet ?? other.snippet }
}
