import { percentDecoded } from '../../../_shared/address.js'
import { absolute, LINKS, WEB } from '../urls.js'
import { BOUNDS } from './bounds.js'
import { profileOf } from './social.js'

type Attributes = Readonly<Record<string, string>>

interface Icon {
  readonly url: string
  readonly kind: 'icon' | 'apple-touch-icon' | 'mask-icon' | 'tile'
  readonly size: number | null
  readonly any_size: boolean
  readonly type: string | null
}

const FEEDS: readonly string[] = ['application/rss+xml', 'application/atom+xml', 'application/feed+json']
const EMAIL = /^[^\s@<>()",;:]{1,64}@[^\s@<>()",;:]{1,250}\.[^\s@<>()",;:.]{2,}$/

/** The links of a page, by their relation or the kind of address. */
export class Links {
  readonly #base: () => string
  canonical: string | null = null
  manifest: string | null = null
  readonly translations: { language: string; url: string }[] = []
  readonly feeds: { url: string; type: string; title: string | null }[] = []
  readonly icons: Icon[] = []
  readonly #social = new Map<string, { network: string; url: string }>()
  readonly #emails = new Set<string>()
  readonly #phones = new Set<string>()

  constructor(base: () => string) {
    this.#base = base
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'link') this.#link(attributes)
    else if (name === 'a' || name === 'area') this.#anchor(attributes['href'])
    else if (name === 'meta' && attributes['name']?.toLowerCase() === 'msapplication-tileimage')
      this.#icon('tile', attributes['content'], attributes)
  }

  get social(): { network: string; url: string }[] {
    return [...this.#social.values()]
  }

  get emails(): string[] {
    return [...this.#emails]
  }

  get phones(): string[] {
    return [...this.#phones]
  }

  #link(attributes: Attributes): void {
    const relations = (attributes['rel'] ?? '').slice(0, 200).toLowerCase().split(/\s+/)
    const url = absolute(attributes['href'], this.#base(), WEB)
    if (relations.includes('canonical')) this.canonical ??= url
    if (relations.includes('manifest')) this.manifest ??= url
    const icon = (['icon', 'apple-touch-icon', 'mask-icon'] as const).find((kind) => relations.includes(kind))
    if (icon !== undefined) this.#icon(icon, attributes['href'], attributes)
    else if (relations.includes('apple-touch-icon-precomposed')) this.#icon('apple-touch-icon', attributes['href'], attributes)
    if (!relations.includes('alternate') || url === null) return
    const language = attributes['hreflang']?.trim()
    const type = (attributes['type'] ?? '').trim().toLowerCase()
    if (language !== undefined && /^[A-Za-z0-9-]{1,35}$/.test(language) && this.translations.length < BOUNDS.links)
      this.translations.push({ language, url })
    if (FEEDS.includes(type) && this.feeds.length < BOUNDS.links)
      this.feeds.push({ url, type, title: attributes['title']?.trim().slice(0, 500) ?? null })
  }

  #icon(kind: Icon['kind'], address: string | undefined, { sizes = '', type }: Attributes): void {
    const url = absolute(address, this.#base(), WEB)
    if (url === null || this.icons.length >= BOUNDS.links) return
    const sides = [...sizes.slice(0, 500).matchAll(/(\d{1,5})x\d{1,5}/gi)].map(([, side]) => Number(side))
    const any = /\bany\b/i.test(sizes.slice(0, 500)) || type?.trim().toLowerCase() === 'image/svg+xml'
    this.icons.push({
      url,
      kind,
      size: sides.length === 0 ? null : Math.max(...sides),
      any_size: any,
      type: type?.trim().toLowerCase().slice(0, 100) ?? null,
    })
  }

  #anchor(address: string | undefined): void {
    const url = absolute(address, this.#base(), LINKS)
    if (url === null) return
    if (url.startsWith('mailto:')) for (const email of addressesOf(url)) this.#keep(this.#emails, email)
    else if (url.startsWith('tel:')) this.#keep(this.#phones, phoneOf(url))
    else {
      const profile = profileOf(url)
      if (profile !== null && this.#social.size < BOUNDS.links) this.#social.set(profile.url.toLowerCase(), profile)
    }
  }

  #keep(set: Set<string>, value: string | null): void {
    if (value !== null && set.size < BOUNDS.links) set.add(value)
  }
}

/** RFC 6068, 2: comma-separated addresses before the query. */
function addressesOf(url: string): string[] {
  const list = percentDecoded(url.slice('mailto:'.length).split('?', 1)[0] ?? '')
  return list
    .split(',', 20)
    .map((address) => address.trim().toLowerCase())
    .filter((address) => EMAIL.test(address))
}

/** RFC 3966, without separators and parameters. */
function phoneOf(url: string): string | null {
  const number =
    percentDecoded(url.slice('tel:'.length))
      .split(';', 1)[0]
      ?.replace(/[\s().-]/g, '') ?? ''
  return /^\+?\d{3,20}$/.test(number) ? number : null
}
