import { parseUrl } from '../../../core/sdk/url.js'
import { percentDecoded } from '../../_shared/address.js'
import { FURTHER_WORDS, type FurtherKind } from './further-words.js'

/** A link as written on a page. */
interface PageLink {
  readonly href: string
  readonly text: string
}

/** A page of the same website that is worth reading. */
export interface FurtherLink {
  readonly kind: FurtherKind
  readonly url: string
}

const MOST = 2
const LONGEST = 60
const KINDS = new Map(
  Object.entries(FURTHER_WORDS).flatMap(([kind, words]) => words.split('|').map((word): [string, string] => [folded(word), kind])),
)

/** The kind of page a link leads to, by its text or the last part of its address; null for any other. */
export function furtherKind({ href, text }: PageLink): FurtherKind | null {
  const last = (href.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '').split('/').at(-1) ?? ''
  const kind = KINDS.get(folded(text)) ?? KINDS.get(folded(percentDecoded(last.replace(/\.[a-z]{2,5}$/i, ''))))
  return kind === 'about' || kind === 'imprint' || kind === 'contact' ? kind : null
}

/**
 * At most two pages on the same host: the one about the company, and its imprint, or else its contact page. `base`
 * resolves relative links.
 */
export function furtherLinks(links: readonly PageLink[], base: string, page: string): FurtherLink[] {
  const home = parseUrl(page)
  const found = links.flatMap((link): FurtherLink[] => {
    const kind = furtherKind(link)
    const url = kind === null ? null : parseUrl(link.href.trim(), base)
    if (kind === null || url === null || url.host !== home?.host || !/^https?:$/.test(url.protocol)) return []
    if (url.username !== '' || url.password !== '' || (url.pathname === home.pathname && url.search === home.search)) return []
    url.hash = ''
    return [{ kind, url: url.href }]
  })
  const first = (kind: FurtherKind): FurtherLink[] => found.filter((link) => link.kind === kind).slice(0, 1)
  const all = [...first('about'), ...first('imprint'), ...first('contact')]
  return all.filter(({ url }, place) => all.findIndex((other) => other.url === url) === place).slice(0, MOST)
}

function folded(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/ø/g, 'o')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
