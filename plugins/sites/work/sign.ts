import type { PageText } from './page-source.js'

/** A sign that was found. */
export interface Found {
  readonly version: string | null
  /** What it was, for people. */
  readonly evidence: string
}

const SHOWN = 120
const HOLE = '{version}'

/** Where a page has a sign of a kind; at most one. Every comparison is a search for a plain text. */
export function foundIn(kind: string, sign: string, text: PageText): readonly Found[] {
  const found = lookFor(kind, sign, text)
  return found === null ? [] : [found]
}

function lookFor(kind: string, sign: string, text: PageText): Found | null {
  switch (kind) {
    case 'header':
      return inHeader(sign, text.headers)
    case 'cookie':
      return inCookies(sign, text.cookies)
    case 'generator':
      return inAny(text.generators, sign, 'generator', true)
    case 'url':
      return inAny(text.urls, sign, 'address', false)
    case 'html':
      return inText(text.markup, sign, 'markup')
    case 'global':
      return inText(text.scripts, sign, 'script in the page')
    case 'host':
      return inHosts(sign, text)
    default:
      return null
  }
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

/** Where a text has a sign, and the version in its hole; a sign with a hole is also found where the version is left out at its end. */
function matchIn(value: string, sign: string, atStart: boolean): { readonly version: string | null } | null {
  const hole = sign.indexOf(HOLE)
  if (hole === -1) return (atStart ? value.startsWith(sign) : value.includes(sign)) ? { version: null } : null
  const [before, after] = [sign.slice(0, hole), sign.slice(hole + HOLE.length)]
  for (let at = value.indexOf(before); at !== -1; at = value.indexOf(before, at + 1)) {
    if (atStart && at > 0) return null
    const start = at + before.length
    const version = versionAt(value, start)
    if (version !== null && value.startsWith(after, start + version.length)) return { version: version.replace(/[.-]+$/, '') }
    if (before === '') return null
  }
  return after === '' && (atStart ? value.startsWith(before.trimEnd()) : value.includes(before.replace(/[ /]$/, '')))
    ? { version: null }
    : null
}

/** Digits, with dots and words of pre-releases between them; null where none begins. */
function versionAt(value: string, start: number): string | null {
  let end = start
  while (end - start < 30 && isVersion(value.charCodeAt(end), end === start)) end++
  if (end === start) return null
  // The ending of a file name is no part of the version before it.
  return value.slice(start, end).replace(/(?:\.min)?\.(?:m?js|css)$|[.-](?:min|js|css|bundle)$/, '')
}

function isVersion(code: number, first: boolean): boolean {
  const digit = code >= 48 && code <= 57
  if (first) return digit
  return digit || code === 46 || code === 45 || (code >= 97 && code <= 122)
}

const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text)
