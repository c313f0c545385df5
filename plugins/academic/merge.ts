import type { Work } from './contract.js'

/** Weight of a place in reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009). */
const K = 60

interface Merged {
  work: Work
  score: number
}

/** Merges lists of several vendors, best first by reciprocal rank; works with the same DOI, or else the same title, are merged. */
export function mergedWorks(lists: readonly (readonly Work[])[]): Work[] {
  const all: Merged[] = []
  const known = new Map<string, Merged>()
  for (const list of lists)
    for (const [place, work] of list.entries()) {
      const keys = keysOf(work)
      const before = keys.map((key) => known.get(key)).find((found) => found !== undefined && agree(found.work, work))
      const entry = before ?? { work, score: 0 }
      if (before === undefined) all.push(entry)
      else before.work = joined(before.work, work)
      entry.score += 1 / (K + place + 1)
      for (const key of keys) if (!known.has(key)) known.set(key, entry)
    }
  return all.sort((one, other) => other.score - one.score).map(({ work }) => work)
}

function keysOf({ doi, title }: Work): string[] {
  const folded = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return [...(doi === null ? [] : [`doi ${doi}`]), ...(folded.length < 12 ? [] : [`title ${folded}`])]
}

/** Two DOIs with one title are a preprint and its publication, or two works: they are kept separate. */
function agree(one: Work, other: Work): boolean {
  return one.doi === null || other.doi === null || one.doi === other.doi
}

function joined(one: Work, other: Work): Work {
  const longer = (one.snippet?.length ?? 0) >= (other.snippet?.length ?? 0) ? one : other
  return {
    ...one,
    snippet: longer.snippet,
    authors: one.authors.length > 0 ? one.authors : other.authors,
    published: (one.published?.length ?? 0) >= (other.published?.length ?? 0) ? one.published : other.published,
    doi: one.doi ?? other.doi,
    venue: one.venue ?? other.venue,
    citations:
      one.citations === null || other.citations === null ? (one.citations ?? other.citations) : Math.max(one.citations, other.citations),
    pdf_url: one.pdf_url ?? other.pdf_url,
  }
}
