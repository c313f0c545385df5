import type { Citation } from '../contract.js'
import { lines } from '../text.js'
import { hostsOf, withoutLinks } from './links.js'

/** Longest answer in characters. */
const LONGEST = 8000
/** `[2]`, `[1, 3]`, `[^4]`, `[Source 5]`, `【6†x】`: forms of markers written by models. */
const MARKERS = /[[【]\^?(?:sources? ?|quelle )?(\d{1,3}(?: ?, ?\d{1,3}){0,9})(?:†[^[\]【】]{0,40})?[\]】]/gi
const END = /[.!?…。！？]$/

export interface Source {
  readonly url: string
  readonly title: string
  readonly snippet: string | null
}

export interface Cited {
  readonly answer: string
  readonly citations: Citation[]
}

/**
 * An answer with its markers checked against its sources: other markers and all links are removed, sources are
 * renumbered in order of use. `used` applies when the text has no marker. Null when no source supports the answer.
 */
export function cited(text: string, sources: readonly Source[], used: readonly number[] = []): Cited | null {
  const order: number[] = []
  const numberOf = (source: number): number => {
    if (!order.includes(source)) order.push(source)
    return order.indexOf(source) + 1
  }
  const known = (source: number): boolean => Number.isInteger(source) && source >= 1 && source <= sources.length
  const marked = withoutLinks(text, { hosts: hostsOf(sources.map(({ url }) => url)) }).replace(MARKERS, (_whole, list: string) => {
    const valid = [...new Set(list.split(',').map(Number))].filter(known)
    return valid.map((source) => `[${numberOf(source)}]`).join('')
  })
  const clean = lines(marked, LONGEST).replace(/ ([.,;:!?])/g, '$1')
  if (clean === '') return null
  const trailing =
    order.length > 0
      ? ''
      : [...new Set(used)]
          .filter(known)
          .map((source) => `[${numberOf(source)}]`)
          .join('')
  if (order.length === 0) return null
  return {
    answer: trailing === '' ? clean : marker(clean, trailing),
    citations: order.map((source, at) => citation(sources[source - 1], at + 1)).filter((one) => one !== null),
  }
}

/** A sentence with a marker before its full stop. */
export function marker(sentence: string, mark: string): string {
  const trimmed = sentence.trimEnd()
  return END.test(trimmed) ? `${trimmed.slice(0, -1).trimEnd()} ${mark}${trimmed.slice(-1)}` : `${trimmed} ${mark}`
}

function citation(source: Source | undefined, index: number): Citation | null {
  return source === undefined ? null : { index, title: source.title, url: source.url, snippet: source.snippet }
}
