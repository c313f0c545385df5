import { Parser } from 'htmlparser2'
import { getDomain } from 'tldts'
import { cookiesIn } from '../parts/headers/set-cookie.js'
import { scriptParts } from './script-code.js'

/** What the signs of rules are looked for in, all in lower case. */
export interface PageText {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Names of cookies that the reply sets. */
  readonly cookies: readonly string[]
  readonly generators: readonly string[]
  /** Addresses of what the page loads, embeds or sends to. */
  readonly urls: readonly PageUrl[]
  /** Start tags with the attributes that say how a page is made, comments and style sheets; nothing of the text. */
  readonly markup: string
  /** Scripts inside the page, one after the other: without comments and strings of several words, and with single quotes alone. */
  readonly scripts: string
  /** The same without any strings. */
  readonly code: string
  readonly aliases: readonly string[]
}

/** An address in a page. */
export interface PageUrl {
  readonly url: string
  /** Of the site itself: its registrable domain, or a host that bears its name. */
  readonly own: boolean
  /** A script or style sheet, which becomes a part of the page. */
  readonly part: boolean
}

/** A page as `technologiesOf` hands it over. */
export interface Source {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly html: Uint8Array
  readonly aliases: readonly string[]
}

/** Attributes with an address, by element; links in the text are about other sites. */
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
/** Of links in the head those that load something, prepare to, or name other forms of the page. */
const LOADS = /\b(?:stylesheet|preconnect|dns-prefetch|preload|modulepreload|prefetch|icon|manifest|alternate)\b/i
const PARTS = /\b(?:stylesheet|modulepreload)\b/i
/** What is in these is shown, not used. */
const QUOTED = new Set(['code', 'pre', 'textarea', 'samp', 'kbd', 'xmp', 'title'])
/** Attributes whose values are for machines; of all others the name alone says something. */
const OF_MACHINES = new Set(['class', 'id', 'name', 'type', 'rel', 'style', 'ng-version'])
/** Values with words between blanks are text for people. */
const MACHINE_VALUE = /^\S{0,200}$/
/** Of a value that is data so much is looked at. */
const BEGINNING = 16
/** Contents of scripts that are data. */
const DATA = /json|template|html|markdown|handlebars/i
/** Files of many sites are there, so that the host says nothing; scripts and style sheets there are those of the page. */
const SHARED_HOSTS =
  /(?:^|\.)(?:jsdelivr\.net|unpkg\.com|cdnjs\.cloudflare\.com|esm\.sh|b-cdn\.net|kxcdn\.com|cdn77\.org|gcdn\.co|cloudfront\.net|azureedge\.net|fastly\.net|akamaized\.net|wp\.com)$/
const MOST_URLS = 2_000
const MOST_URL = 1_000
const SHORTEST_NAME = 4

/** Reads a page's markup once, in time proportional to it. */
export function pageText({ url, headers, html, aliases }: Source): PageText {
  const generators: string[] = []
  const urls: PageUrl[] = []
  const markup: string[] = []
  const scripts: string[] = []
  const isOwn = ownership(url)
  let inside: 'script' | 'style' | null = null
  let quoted = 0
  /** A heading behind a rule that is a class of its own: how servers end the pages that they make of errors. */
  let signature = false
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        inside = name === 'style' || (name === 'script' && !DATA.test(attributes.type ?? '')) ? name : null
        if (QUOTED.has(name)) quoted++
        if (quoted > 0) return
        const tag = tagOf(name, attributes)
        signature = name === 'h3' && markup.at(-1) === '<hr class="line">'
        markup.push(tag)
        if (name === 'meta' && attributes.name?.toLowerCase() === 'generator')
          generators.push((attributes.content ?? '').trim().toLowerCase())
        if (name === 'link' && !LOADS.test(attributes.rel ?? '')) return
        const loaded =
          name === 'script' || (name === 'link' && (PARTS.test(attributes.rel ?? '') || /^(?:script|style)$/i.test(attributes.as ?? '')))
        for (const attribute of ADDRESSES.get(name) ?? [])
          for (const value of addressesIn(attribute, attributes[attribute])) {
            if (urls.length === MOST_URLS) return
            const { own, shared } = isOwn(value)
            urls.push({ url: value.toLowerCase(), own: own || (shared && loaded), part: loaded })
          }
      },
      ontext: (text) => {
        if (quoted > 0) return
        if (inside === 'script') scripts.push(text)
        else if (inside === 'style') markup.push(text)
        else if (signature) markup.push(`<hr class="line"><h3>${text}`)
      },
      oncomment: (text) => {
        if (quoted === 0) markup.push(`<!--${text}-->`)
      },
      onclosetag: (name) => {
        inside = null
        if (name === 'h3') signature = false
        if (QUOTED.has(name) && quoted > 0) quoted--
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(new TextDecoder('utf-8').decode(html))
  const { code, tokens } = scriptParts(scripts.join('\n').toLowerCase())
  return {
    url: url.toLowerCase(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.toLowerCase()])),
    cookies: cookiesIn(headers['set-cookie'] ?? '').map(({ name }) => name.toLowerCase()),
    generators,
    urls,
    markup: markup.join('\n').toLowerCase(),
    scripts: tokens.replaceAll('"', "'"),
    code,
    aliases: aliases.map((alias) => alias.toLowerCase()),
  }
}

/** A start tag in one form: double quotes, one blank before each attribute, no values that are text for people. */
function tagOf(name: string, attributes: Readonly<Record<string, string>>): string {
  const each = Object.entries(attributes).map(([attribute, value]) => {
    const isMeaningful = OF_MACHINES.has(attribute) || (attribute !== 'href' && attribute !== 'src' && MACHINE_VALUE.test(value))
    const shown = isMeaningful ? value : value.startsWith('{') ? value.slice(0, BEGINNING) : ''
    return ` ${attribute}="${shown.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('=', '&#61;')}"`
  })
  return `<${name}${each.join('')}>`
}

function addressesIn(attribute: string, value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return []
  const all = attribute === 'srcset' ? value.split(/[\s,]+(?=\S*[/.])/) : [value]
  return all.map((each) => each.trim().slice(0, MOST_URL)).filter((each) => each !== '')
}

/** Distinguishes addresses of the site itself from those of others, and of hosts that many sites use. */
function ownership(page: string): (value: string) => { readonly own: boolean; readonly shared: boolean } {
  const host = URL.parse(page)?.hostname ?? ''
  const domainOf = (name: string): string => getDomain(name, { allowPrivateDomains: true }) ?? name
  const domain = domainOf(host)
  const label = domain.split('.', 1)[0] ?? ''
  return (value) => {
    const other = URL.parse(value, page)?.hostname ?? ''
    const own = domainOf(other) === domain || (label.length >= SHORTEST_NAME && other.includes(label))
    return { own, shared: SHARED_HOSTS.test(other) }
  }
}
