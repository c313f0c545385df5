import type { Organic } from './contract.js'
import { pageKey } from './result.js'

/** Ranks below the first lose little: the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, https://doi.org/10.1145/1571941.1572114). */
const K = 60

/**
 * One list out of several by reciprocal rank fusion: a page scores the sum of 1 / (60 + rank) over the lists that have it, so that what several rank well
 * comes first; equal scores keep the order of the lists. Addresses of one page count as one; https is preferred, and a snippet of any list fills in for
 * none. Numbered anew and cut to the wanted number.
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
