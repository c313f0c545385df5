import type * as Htmlparser2 from 'htmlparser2'
import { packageAtUse, parseUrl } from '../../core/sdk/index.js'
import type { Work } from './contract.js'

const htmlparser2 = packageAtUse<typeof Htmlparser2>('htmlparser2')

const TITLE = 300
const NAME = 120
const SNIPPET = 1_500
const MOST_AUTHORS = 20
/** Characters of markup read for a text of at most 1,500. */
const MOST_MARKUP = 20_000
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu
const HIDDEN = /(?!\u200c|\u200d)[\p{Cf}\p{Cs}\p{Co}]/gu

/** A work as returned by a vendor, untrusted. */
export interface RawWork {
  readonly title: string | null | undefined
  /** Addresses of its page, best first. */
  readonly urls: readonly (string | null | undefined)[]
  readonly abstract: string | null | undefined
  readonly authors: readonly (string | null | undefined)[]
  readonly published: string | null | undefined
  readonly doi: string | null | undefined
  readonly venue: string | null | undefined
  readonly citations: number | null | undefined
  /** Addresses of a PDF, best first. */
  readonly pdfs: readonly (string | null | undefined)[]
}

/** A work in the common form: single-line texts, bounded, http(s) links only. Null without a title or a page. */
export function workOf(raw: RawWork): Work | null {
  const title = oneLine(raw.title, TITLE)
  const url = firstLink(raw.urls)
  if (title === null || url === null) return null
  const venue = oneLine(raw.venue, TITLE)
  const published = /^\d{4}(?:-\d{2}){0,2}$/.test(raw.published ?? '') ? (raw.published ?? null) : null
  const where = [venue, published?.slice(0, 4)].filter((part) => part !== null && part !== undefined).join(', ')
  return {
    title,
    url,
    snippet: oneLine(raw.abstract, SNIPPET) ?? (where === '' ? null : where),
    authors: raw.authors.slice(0, MOST_AUTHORS).flatMap((name) => oneLine(name, NAME) ?? []),
    published,
    doi: doiOf(raw.doi),
    venue,
    citations: Number.isInteger(raw.citations) && (raw.citations ?? -1) >= 0 ? (raw.citations ?? null) : null,
    pdf_url: firstLink(raw.pdfs),
  }
}

/** The text at the start of markup such as JATS; section headings such as "Abstract" are left out. */
export function textOfMarkup(markup: string): string {
  const parts: string[] = []
  let heading = 0
  const parser = new (htmlparser2().Parser)(
    {
      onopentag: (name) => void (name === 'jats:title' ? heading++ : undefined),
      ontext: (text) => void (heading === 0 ? parts.push(text) : undefined),
      onclosetag: (name) => {
        if (name === 'jats:title') heading--
        if (name === 'jats:p' || name === 'p') parts.push(' ')
      },
    },
    { decodeEntities: true },
  )
  parser.end(markup.slice(0, MOST_MARKUP))
  return parts.join('')
}

function oneLine(text: string | null | undefined, most: number): string | null {
  const clean = (text ?? '')
    .slice(0, most * 4)
    .replace(HIDDEN, '')
    .replace(BREAKS, ' ')
    .trim()
  if (clean === '') return null
  if (clean.length <= most) return clean
  const space = clean.lastIndexOf(' ', most - 1)
  return `${clean.slice(0, space > most * 0.8 ? space : most - 1).trimEnd()}…`
}

function firstLink(addresses: readonly (string | null | undefined)[]): string | null {
  for (const address of addresses) {
    const url =
      typeof address === 'string' && address.length <= 2_048
        ? parseUrl(address.replace(/^https?:\/\/dx\.doi\.org\//i, 'https://doi.org/'))
        : null
    if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username === '' && url.password === '') return url.href
  }
  return null
}

/** A DOI without an address prefix; null for anything else. */
function doiOf(text: string | null | undefined): string | null {
  const bare = (text ?? '').trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)/i, '')
  return /^10\.\d{4,9}\/\S{1,200}$/.test(bare) ? bare.toLowerCase() : null
}
