import { withoutTags } from '../text.js'

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\(((?:[^()]|\([^()]*\))*)\)/g
const MARKER_TEXT = /^\d{1,3}$/
const NO_HOST = /[^a-z0-9.\-\u0080-\uffff]/i
const GENERIC =
  'com org net info biz io co ai dev app xyz example test online site top club shop store tech link click live pro edu gov int me tv cc ws to ly gg'
const NATIONAL =
  'uk de fr ru cn jp br in it nl au ca es pl eu us ch se no fi dk at be cz pt gr hu ro tr ua kr tw hk sg my th vn id ph nz za mx ar cl pe il ae sa ng ke ie'
/**
 * Top-level domains that chat programs turn into links; those that are also file extensions (sh, py, rs, md) are left
 * out.
 */
const ENDINGS = new Set(`${GENERIC} ${NATIONAL}`.split(' '))

const NO_HOSTS: ReadonlySet<string> = new Set(['asp.net', 'ado.net', 'vb.net', 'ml.net'])

interface LinkRules {
  /** The marker that replaces a Markdown link to a source. */
  readonly marker?: (url: string) => string | null
  /** Hosts of the sources, which may be named in the text, as may their parent domains. */
  readonly hosts?: ReadonlySet<string>
}

/** Host names of addresses and their parent domains, with at least two labels. */
export function hostsOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(
    urls.flatMap((url) => {
      const labels = new URL(url).hostname.split('.')
      return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'))
    }),
  )
}

/**
 * Text without addresses, in linear time: Markdown links and images, tags, URLs of any scheme and bare names of other
 * hosts are removed, link texts are kept.
 */
export function withoutLinks(text: string, { marker = () => null, hosts = NO_HOSTS }: LinkRules = {}): string {
  return withoutTags(
    text.replace(MARKDOWN_LINK, (_whole, words: string, url: string) =>
      MARKER_TEXT.test(words) ? `[${words}]` : `${words} ${marker(url.trim()) ?? ''}`,
    ),
  )
    .split(/(\s+)/)
    .map((word) => (isAddress(word, hosts) ? endOf(word) : word))
    .join('')
    .replace(/[([{<]\s{0,3}[)\]}>]/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
}

/** True for a word that is, or contains, an address that something could open. */
export function isAddress(word: string, hosts: ReadonlySet<string> = NO_HOSTS): boolean {
  if (word.length > 2048) return true
  const bare = word.replace(/[\u3002\uff0e\uff61]/g, '.').replace(/\[\d{1,3}\]/g, '')
  if (
    /:\/\/|:\\\\/.test(bare) ||
    /(?:^|[^a-z])(?:mailto|javascript|data|vbscript|tel|file|ftp|https?):[^\s]/i.test(bare) ||
    bare.includes('//')
  )
    return true
  return bare
    .split(/[^a-z0-9.\-\u0080-\uffff]+/i)
    .some((candidate) => isHost(candidate) && !NO_HOSTS.has(bared(candidate)) && !hosts.has(bared(candidate)))
}

/** A word in host notation: lower case, without surrounding dots and dashes. */
function bared(candidate: string): string {
  const ends = [...'.-']
  let from = 0
  let to = candidate.length
  while (from < to && ends.includes(candidate.charAt(from))) from++
  while (to > from && ends.includes(candidate.charAt(to - 1))) to--
  return candidate.slice(from, to).toLowerCase()
}

function isHost(candidate: string): boolean {
  const labels = bared(candidate).split('.')
  const ending = labels.at(-1) ?? ''
  if (labels.length < 2 || labels.includes('') || NO_HOST.test(candidate)) return false
  const written = candidate.slice(candidate.toLowerCase().lastIndexOf(ending))
  // "works.It" is a missing blank; a real host has a consistent case at its end.
  return labels[0] === 'www' || ((written.startsWith(ending) || candidate === candidate.toUpperCase()) && ENDINGS.has(ending))
}

/** Rest of a removed address: its markers and the end of the sentence. */
function endOf(word: string): string {
  const markers = word.match(/\[\d{1,3}\]/g) ?? []
  const last = word.at(-1) ?? ''
  return `${markers.join('')}${'.!?'.includes(last) ? last : ''}`
}
