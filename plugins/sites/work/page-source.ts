import { Parser } from 'htmlparser2'
import { cookiesIn } from '../parts/headers/set-cookie.js'

/** What the signs of rules are looked for in, all in lower case. */
export interface PageText {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Names of cookies that the reply sets. */
  readonly cookies: readonly string[]
  readonly generators: readonly string[]
  /** Addresses of what the page loads, embeds or sends to. */
  readonly urls: readonly string[]
  readonly markup: string
  /** Scripts inside the page, one after the other. */
  readonly scripts: string
  readonly aliases: readonly string[]
}

/** A page as `technologiesOf` hands it over. */
export interface Source {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly html: Uint8Array
  readonly aliases: readonly string[]
}

/** Attributes with an address, by element; links in the text tell of other sites. */
const ADDRESSES = new Map([
  ['script', ['src', 'data-src']],
  ['link', ['href']],
  ['iframe', ['src', 'data-src']],
  ['img', ['src', 'data-src', 'srcset']],
  ['source', ['src', 'srcset']],
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['embed', ['src']],
  ['object', ['data']],
  ['form', ['action']],
])
/** Of links in the head those that load something, or prepare to. */
const LOADS = /\b(?:stylesheet|preconnect|dns-prefetch|preload|modulepreload|prefetch|icon|manifest)\b/i
const MOST_URLS = 2_000
const MOST_URL = 1_000

/** Reads a page's markup once, in time proportional to it. */
export function pageText({ url, headers, html, aliases }: Source): PageText {
  const markup = new TextDecoder('utf-8').decode(html)
  const generators: string[] = []
  const urls: string[] = []
  const scripts: string[] = []
  let inScript = false
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        inScript = name === 'script'
        if (name === 'meta' && attributes.name?.toLowerCase() === 'generator')
          generators.push((attributes.content ?? '').trim().toLowerCase())
        if (name === 'link' && !LOADS.test(attributes.rel ?? '')) return
        for (const attribute of ADDRESSES.get(name) ?? []) {
          const value = attributes[attribute]
          if (value !== undefined && value !== '' && urls.length < MOST_URLS) urls.push(value.slice(0, MOST_URL).toLowerCase())
        }
      },
      ontext: (text) => {
        if (inScript) scripts.push(text)
      },
      onclosetag: () => {
        inScript = false
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(markup)
  return {
    url: url.toLowerCase(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.toLowerCase()])),
    cookies: cookiesIn(headers['set-cookie'] ?? '').map(({ name }) => name.toLowerCase()),
    generators,
    urls,
    markup: markup.toLowerCase(),
    scripts: scripts.join('\n').toLowerCase(),
    aliases: aliases.map((alias) => alias.toLowerCase()),
  }
}
