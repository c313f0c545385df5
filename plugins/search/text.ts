import { parseUrl } from '../../core/sdk/url.js'
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Direction marks, invisible characters and unpaired surrogates; joiners are kept, because scripts and emoji need them. */
const HIDDEN = /(?!\u200c|\u200d)[\p{Cf}\p{Cs}\p{Co}]/gu
const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi
const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    middot: '·',
    bull: '•',
  }).concat(
    Object.entries({
      lsquo: '‘',
      rsquo: '’',
      ldquo: '“',
      rdquo: '”',
      laquo: '«',
      raquo: '»',
      copy: '©',
      reg: '®',
      deg: '°',
      times: '×',
      euro: '€',
    }),
  ),
)

/**
 * One line of untrusted text, safe to display: no control, direction or invisible characters, at most `max` UTF-16
 * units, cut at a word with an ellipsis.
 */
export function line(text: string, max: number): string {
  // A first cut bounds the work; collapsing blanks may shorten the rest further.
  const clean = text
    .slice(0, max * 4)
    .replace(HIDDEN, '')
    .replace(BREAKS, ' ')
    .trim()
  if (clean.length <= max) return clean
  const space = clean.lastIndexOf(' ', max - 1)
  return `${clean
    .slice(0, space > max * 0.8 ? space : max - 1)
    .replace(HIDDEN, '')
    .trimEnd()}…`
}

/** Untrusted text of several lines, each cleaned like `line`, empty ones dropped. */
export function lines(text: string, max: number): string {
  const clean = text
    .slice(0, max * 4)
    .split('\n')
    .map((one) => line(one, max))
    .filter((one) => one !== '')
    .join('\n')
  return clean.length <= max
    ? clean
    : `${clean
        .slice(0, max - 1)
        .replace(HIDDEN, '')
        .trimEnd()}…`
}

/** A line, or null when empty or absent. */
export function lineOrNull(text: string | null | undefined, max: number): string | null {
  const clean = line(text ?? '', max)
  return clean === '' ? null : clean
}

/** The text of a short HTML fragment such as a highlighted snippet, in linear time: tags dropped, entities decoded. */
export function plain(fragment: string): string {
  return withoutTags(fragment).replace(ENTITY, (whole, name: string) => decoded(name.toLowerCase()) ?? whole)
}

/** Text without anything that resembles an HTML tag, in linear time. */
export function withoutTags(fragment: string): string {
  const parts: string[] = []
  let from = 0
  for (let open = fragment.indexOf('<'); open !== -1; open = fragment.indexOf('<', from)) {
    const close = /^[a-z/!]/i.test(fragment.charAt(open + 1)) ? fragment.indexOf('>', open) : open
    if (close === -1) break
    parts.push(fragment.slice(from, close === open ? open + 1 : open))
    from = close + 1
  }
  parts.push(fragment.slice(from))
  return parts.join('')
}

function decoded(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED.get(name)
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}

/** A link that callers may follow (http or https, host in punycode, no credentials, at most 2,048 characters), or null. */
export function link(address: string | null | undefined): string | null {
  return linked(address)?.href ?? null
}

/** The same, parsed. */
export function linked(address: string | null | undefined): URL | null {
  if (address === null || address === undefined || address.length > 8192) return null
  const url = parseUrl(address)
  if (url === null) return null
  const safe = (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '' && url.username === '' && url.password === ''
  return safe && url.href.length <= 2048 ? url : null
}
