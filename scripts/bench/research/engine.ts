import type { RequestListener } from 'node:http'
import type { Page } from './corpus.js'

/** Saturation and weight of length of BM25, and how often a word of the title counts. */
const [K1, B, TITLE] = [1.2, 0.75, 4]
const PAGE_SIZE = 10
const SNIPPET_WORDS = 40
const STOP = new Set(
  (
    'a an and are as at be by can do does for from has have how in is it its may of on or that the their there these this to was what when where which ' +
    'who why will with you your'
  ).split(' '),
)

interface Hit {
  readonly url: string
  readonly title: string
  readonly content: string
}

/** A search engine over a corpus: an inverted index with BM25, as plain as such engines are. */
export class Engine {
  readonly #pages: readonly (Page & { readonly url: string; readonly length: number })[]
  readonly #places = new Map<string, Map<number, number>>()
  readonly #average: number

  constructor(pages: readonly (Page & { readonly url: string })[]) {
    this.#pages = pages.map((page, at) => {
      const words = [...Array.from({ length: TITLE }, () => termsOf(page.title)).flat(), ...termsOf(page.text)]
      for (const word of words) {
        const counts = this.#places.get(word) ?? new Map<number, number>()
        counts.set(at, (counts.get(at) ?? 0) + 1)
        this.#places.set(word, counts)
      }
      return { ...page, length: words.length }
    })
    this.#average = this.#pages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.#pages.length)
  }

  /** Pages by rank, ten from a page number on. */
  search(query: string, pageNumber: number): Hit[] {
    const scores = new Map<number, number>()
    const wanted = [...new Set(termsOf(query))].filter((word) => !STOP.has(word))
    for (const word of wanted) {
      const counts = this.#places.get(word)
      if (counts === undefined) continue
      const rarity = Math.log(1 + (this.#pages.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, count] of counts) {
        const length = this.#pages[at]?.length ?? 0
        scores.set(at, (scores.get(at) ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#average)))
      }
    }
    return [...scores]
      .sort((one, other) => other[1] - one[1])
      .slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE)
      .flatMap(([at]) => {
        const page = this.#pages[at]
        return page === undefined ? [] : [{ url: page.url, title: page.title, content: snippetOf(page.text, wanted) }]
      })
  }

  /** Answers as a SearXNG instance does in the format json. */
  readonly listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://engine')
    if (pathname !== '/search') return void response.writeHead(404).end()
    const query = searchParams.get('q') ?? ''
    const results = this.search(query, Number(searchParams.get('pageno') ?? '1'))
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        query,
        number_of_results: results.length,
        results,
        answers: [],
        corrections: [],
        infoboxes: [],
        suggestions: [],
        unresponsive_engines: [],
      }),
    )
  }
}

/** The forty words with most of the query, from a place every twenty words. */
function snippetOf(text: string, wanted: readonly string[]): string {
  const words = text.split(' ')
  const terms = new Set(wanted)
  let best = { at: 0, score: -1 }
  for (let at = 0; at < words.length; at += SNIPPET_WORDS / 2) {
    const score = new Set(termsOf(words.slice(at, at + SNIPPET_WORDS).join(' ')).filter((word) => terms.has(word))).size
    if (score > best.score) best = { at, score }
  }
  return words.slice(best.at, best.at + SNIPPET_WORDS).join(' ')
}

function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word,
  )
}
