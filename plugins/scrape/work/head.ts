import { absolute, WEB } from './urls.js'

/** Maximum meta field names, and values of each. */
const MOST_NAMES = 1_000
const MOST_VALUES = 50

/** Metadata of a page: base address, title, language, meta fields, JSON-LD blocks and a redirect. Filled during the scan. */
export class Head {
  base: string
  lang: string | null = null
  /** Absolute address of a `<meta http-equiv="refresh">` within ten seconds. */
  refresh: string | null = null
  readonly jsonLd: string[] = []
  readonly frames: { readonly url: string; readonly name: string }[] = []
  readonly #meta = new Map<string, string[]>()
  #title: string | null = null
  #firstHeading: string | null = null
  #baseSeen = false
  #into: 'title' | 'json' | 'h1' | null = null
  #buffer: string[] = []

  constructor(url: string) {
    this.base = url
  }

  /** `hidden`: the element is inside a part that is left out, and only its facts count. */
  open(name: string, attributes: Readonly<Record<string, string>>, hidden: boolean): void {
    if (name === 'base' && !this.#baseSeen) {
      const base = absolute(attributes['href'], this.base, WEB)
      if (base !== null) {
        this.base = base
        this.#baseSeen = true
      }
    } else if (name === 'html') this.lang = tidy(attributes['lang'] ?? attributes['xml:lang'] ?? '', 35)
    else if (name === 'meta') this.#metaTag(attributes, hidden)
    else if (name === 'frame') {
      const url = absolute(attributes['src'], this.base, WEB)
      if (url !== null && this.frames.length < 100)
        this.frames.push({ url, name: tidy(attributes['title'] ?? attributes['name'] ?? '', 200) ?? url })
    } else if (name === 'title' && this.#title === null && !hidden) this.#begin('title')
    else if (name === 'h1' && this.#firstHeading === null && !hidden) this.#begin('h1')
    else if (name === 'script' && (attributes['type'] ?? '').toLowerCase().includes('ld+json') && this.jsonLd.length < 50)
      this.#begin('json')
  }

  text(text: string): void {
    if (this.#into !== null) this.#buffer.push(text)
  }

  close(name: string): void {
    const into = this.#into
    if (into === null || name !== (into === 'json' ? 'script' : into)) return
    const text = this.#buffer.join('')
    this.#into = null
    this.#buffer = []
    if (into === 'title') this.#title = tidy(text, 500)
    else if (into === 'h1') this.#firstHeading = tidy(text.replace(/(?<![\s¶§#])[\s¶§#]+$/u, ''), 500)
    else this.jsonLd.push(text)
  }

  /** The first non-empty meta field of these names. */
  meta(...names: readonly string[]): string | null {
    for (const name of names) {
      const [value] = this.#meta.get(name) ?? []
      if (value !== undefined) return value
    }
    return null
  }

  /** All values of the first non-empty meta field of these names. */
  metas(...names: readonly string[]): readonly string[] {
    return names.map((name) => this.#meta.get(name) ?? []).find((values) => values.length > 0) ?? []
  }

  /** All values of the meta fields with this prefix, by the rest of the name. */
  metaBelow(prefix: string): Record<string, string[]> {
    const found: Record<string, string[]> = {}
    for (const [name, values] of this.#meta) {
      const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
      if (rest !== '' && rest !== '__proto__') found[rest] = values
    }
    return found
  }

  get title(): string | null {
    return this.#title
  }

  get firstHeading(): string | null {
    return this.#firstHeading
  }

  #begin(into: 'title' | 'json' | 'h1'): void {
    this.#into = into
    this.#buffer = []
  }

  #metaTag(attributes: Readonly<Record<string, string>>, hidden: boolean): void {
    const content = attributes['content'] ?? ''
    if ((attributes['http-equiv'] ?? '').toLowerCase() === 'refresh') {
      // Inside noscript it is meant for visitors without scripts, like this one.
      const found = /^\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.slice(0, 4096))
      if (found !== null && Number(found[1]) <= 10) this.refresh ??= absolute(found[2], this.base, WEB)
      return
    }
    const named = attributes['property'] ?? attributes['name'] ?? attributes['itemprop'] ?? attributes['http-equiv'] ?? ''
    const name = named.slice(0, 200).toLowerCase()
    const value = tidy(content, 2000)
    if (name === '' || value === null || hidden) return
    const values = this.#meta.get(name)
    if (values !== undefined) {
      if (values.length < MOST_VALUES) values.push(value)
    } else if (this.#meta.size < MOST_NAMES) this.#meta.set(name, [value])
  }
}

/** One line, truncated to size; null when empty. */
export function tidy(text: string, size: number): string | null {
  const line = text
    .slice(0, size * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, size)
  return line === '' ? null : line
}
