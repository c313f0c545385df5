import type { PageText, PageUrl } from './page-source.js'

/** A matched sign. */
export interface Found {
  readonly version: string | null
  /** Readable description of the match. */
  readonly evidence: string
}

const SHOWN = 120
const HOLE = '{version}'

/** Starts with a host, or a part of one. */
const OF_HOST = /^(?:\/\/|\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/|$)/
/** A sign in script code that contains a string, or a name that only occurs in strings. */
const WITH_STRING = /['/-]/

/**
 * The match of a sign of a kind in a page; at most one. Every comparison searches for a plain text. `platform` is
 * true for products that serve a site: their paths in addresses of other sites do not count.
 */
export function foundIn(kind: string, sign: string, text: PageText, { platform }: { readonly platform: boolean }): readonly Found[] {
  const found = search(kind, sign, text, platform)
  return found === null ? [] : [found]
}

function search(kind: string, sign: string, text: PageText, platform: boolean): Found | null {
  switch (kind) {
    case 'header':
      return inHeader(sign, text.headers)
    case 'cookie':
      return inCookies(sign, text.cookies)
    case 'generator':
      return inAny(text.generators, sign, 'generator', true)
    case 'url':
      return inAny(urlsFor(sign, text.urls, platform), sign, 'address', false)
    case 'html':
      return inText(text.markup, sign, 'markup')
    case 'global':
      return inText(WITH_STRING.test(sign) ? text.scripts : text.code, sign, 'script in the page')
    case 'script-url':
      return inText(text.scripts, sign, 'address in a script')
    case 'host':
      return inHosts(sign, text)
    default:
      return null
  }
}

/**
 * Addresses searched for a sign: one without a host in those of the site, and one of a library in scripts and style
 * sheets from anywhere.
 */
function urlsFor(sign: string, urls: readonly PageUrl[], platform: boolean): readonly string[] {
  const anywhere = OF_HOST.test(sign)
  return urls.filter(({ own, part }) => anywhere || own || (part && !platform)).map(({ url }) => url)
}

function inHeader(sign: string, headers: PageText['headers']): Found | null {
  const colon = sign.indexOf(': ')
  const name = colon === -1 ? sign : sign.slice(0, colon)
  const value = headers[name]
  if (value === undefined) return null
  if (colon === -1) return { version: null, evidence: `header ${name}` }
  const match = matchIn(value, sign.slice(colon + 2), false)
  return match === null ? null : { version: match.version, evidence: shown(`header ${name}: ${value}`) }
}

function inCookies(sign: string, cookies: readonly string[]): Found | null {
  const start = sign.endsWith('*') ? sign.slice(0, -1) : null
  const cookie = cookies.find((name) => (start === null ? name === sign : name.startsWith(start)))
  return cookie === undefined ? null : { version: null, evidence: shown(`cookie ${cookie}`) }
}

function inAny(values: readonly string[], sign: string, what: string, atStart: boolean): Found | null {
  for (const value of values) {
    const match = matchIn(value, sign, atStart)
    if (match !== null) return { version: match.version, evidence: shown(`${what} ${value}`) }
  }
  return null
}

function inText(value: string, sign: string, what: string): Found | null {
  const match = matchIn(value, sign, false)
  return match === null ? null : { version: match.version, evidence: shown(`${what}: ${sign}`) }
}

function inHosts(sign: string, { url, aliases }: PageText): Found | null {
  const host = url.split('/')[2]?.split(':')[0] ?? ''
  const found = [host, ...aliases].find((name) => name === sign || name.endsWith(`.${sign}`))
  return found === undefined ? null : { version: null, evidence: shown(`host ${found}`) }
}

/** The match of a sign in a text, with its version. The version is optional at the end. */
function matchIn(value: string, sign: string, atStart: boolean): { readonly version: string | null } | null {
  const hole = sign.indexOf(HOLE)
  if (hole === -1) return (atStart ? value.startsWith(sign) : value.includes(sign)) ? { version: null } : null
  const [before, after] = [sign.slice(0, hole), sign.slice(hole + HOLE.length)]
  for (let at = value.indexOf(before); at !== -1; at = value.indexOf(before, at + 1)) {
    if (atStart && at > 0) return null
    const start = at + before.length
    const version = versionAt(value, start)
    if (version !== null && value.startsWith(after, start + version.length)) return { version }
    if (before === '') return null
  }
  return after === '' && /[ /]$/.test(before) && standsAlone(value, before.slice(0, -1), atStart) ? { version: null } : null
}

/** True for a product without its version: `nginx`, `nginx (Ubuntu)`, but not `apache` in `apache-coyote/1.1`. */
function standsAlone(value: string, word: string, atStart: boolean): boolean {
  for (let at = value.indexOf(word); at !== -1; at = value.indexOf(word, at + 1)) {
    if (atStart && at > 0) return false
    const rest = value.slice(at + word.length, at + word.length + 2).trimStart()
    if ((at === 0 || ' ,;('.includes(value[at - 1] ?? '')) && (rest === '' || '(,;'.includes(rest[0] ?? ''))) return true
  }
  return false
}

const PRE_RELEASE = /^-(?:alpha|beta|rc|next|canary|preview|pre|dev)[.-]?\d{0,8}(?:\.\d{1,8})?/
const LONGEST_VERSION = 24

/** Digits separated by dots, with an optional pre-release word; null when there is none. */
function versionAt(value: string, start: number): string | null {
  const text = value.slice(start, start + LONGEST_VERSION)
  const numbers = /^\d+(?:\.\d+)*/.exec(text)?.[0]
  if (numbers === undefined) return null
  return numbers + (PRE_RELEASE.exec(text.slice(numbers.length))?.[0] ?? '')
}

const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text)
