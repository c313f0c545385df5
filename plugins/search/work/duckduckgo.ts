import { parseHTML } from 'linkedom'
import { parseUrl } from '../../../core/sdk/url.js'

/** The used part of an element; there are no browser types here. */
interface Box {
  readonly textContent: string
  readonly classList: { contains(name: string): boolean }
  getAttribute(name: string): string | null
  querySelector(selector: string): Box | null
  querySelectorAll(selector: string): Iterable<Box>
}

/** Parsed result page. */
export interface ResultPage {
  /** The page is a bot challenge. */
  readonly challenge: boolean
  /** The page is a result page, possibly without results. */
  readonly understood: boolean
  readonly hits: readonly { readonly url: string; readonly title: string; readonly snippet: string }[]
  readonly instant: { readonly text: string; readonly url: string } | null
  /** Token required for the next page; empty when there is none. */
  readonly vqd: string
}

/** Instant answers about the client, not about the query. */
const ABOUT_US = ['your ip address is', 'your user agent', 'url decoded']

/** Parses DuckDuckGo's HTML page (observed structure: vendor documentation; none is published). */
export default function readResultPage(html: string): ResultPage {
  const window: unknown = parseHTML(html)
  const document: unknown = typeof window === 'object' && window !== null ? Reflect.get(window, 'document') : undefined
  if (!isBox(document)) throw new Error('the page gave no document')
  const list = document.querySelector('#links')
  const hits = [...document.querySelectorAll('#links .web-result')]
    .filter((block) => !block.classList.contains('result--ad'))
    .map((block) => {
      const title = block.querySelector('h2 a')
      return {
        url: target(title?.getAttribute('href') ?? ''),
        title: title?.textContent ?? '',
        snippet: block.querySelector('.result__snippet')?.textContent ?? '',
      }
    })
    .filter(({ url }) => url !== '')
  return {
    challenge: document.querySelector('form#challenge-form') !== null,
    understood: list !== null || document.querySelector('.no-results') !== null,
    hits,
    instant: instantOf(document.querySelector('#zero_click_abstract')),
    vqd: document.querySelector('input[name="vqd"]')?.getAttribute('value') ?? '',
  }
}

function isBox(value: unknown): value is Box {
  return typeof value === 'object' && value !== null && 'querySelectorAll' in value
}

/** The target of a link: redirects unwrapped, advertisements and everything but http dropped. */
function target(href: string): string {
  const base = 'https://duckduckgo.com/'
  if (parseUrl(href, base) === null) return ''
  const url = new URL(href, base)
  if (!/(?:^|\.)duckduckgo\.com$/.test(url.hostname)) return url.href
  return url.pathname.startsWith('/l/') ? (url.searchParams.get('uddg') ?? '') : ''
}

function instantOf(box: Box | null): ResultPage['instant'] {
  const text = (box?.textContent ?? '').trim()
  const about = text.toLowerCase()
  if (text === '' || ABOUT_US.some((start) => about.includes(start))) return null
  return { text, url: target(box?.querySelector('a')?.getAttribute('href') ?? '') }
}
