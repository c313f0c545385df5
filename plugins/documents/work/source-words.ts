import { isRecord } from '../../../core/sdk/json.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { fold, words } from './fold.js'
import { SourceFigures } from './source-figures.js'

/** Texts up to this length, folded, must be whole words of the source. */
const WHOLE_WORDS = 4
/** Minimum digits of a telephone number without its country code. */
const LEAST_NUMBER = 7
/** Scripts written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u
const LINK_TARGET = /\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]{0,300}")?\)/g
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EUR: '€',
    USD: '$',
    GBP: '£',
    JPY: '¥',
    CNY: '¥',
    INR: '₹',
    KRW: '₩',
    CHF: 'Fr.',
    PLN: 'zł',
    TRY: '₺',
    BRL: 'R$',
    ILS: '₪',
  }),
)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl']

/**
 * Whether a text is in a source: without case, diacritics, punctuation and blanks. Standard forms of values that the
 * source writes otherwise also count: ISO 8601 dates, times and durations whose numbers are in the source, codes of
 * currencies, countries and languages named in it, telephone numbers with country code, and relative addresses
 * resolved against the page.
 */
export class SourceWords {
  readonly #raw: string
  readonly #folded: readonly string[]
  readonly #words: ReadonlySet<string>
  readonly #figures: SourceFigures
  readonly #page: URL | null

  constructor(text: string, url: string | null) {
    this.#raw = text.normalize('NFKC')
    const unlinked = text.replace(LINK_TARGET, ' ')
    this.#folded = [fold(text), ...(unlinked.length === text.length ? [] : [fold(unlinked)]), fold(url ?? '')]
    this.#words = new Set(words(text))
    this.#figures = new SourceFigures(this.#raw)
    this.#page = url === null ? null : parseUrl(url)
  }

  has(text: string): boolean {
    const folded = fold(text)
    if (folded === '') return text.trim() !== '' && this.#raw.includes(text.normalize('NFKC').trim())
    if (folded.length <= WHOLE_WORDS && !UNSPACED.test(text))
      return words(text).every((word) => this.#words.has(word)) || this.#isSupported(text)
    return this.#includes(folded) || this.#isSupported(text)
  }

  #includes(folded: string): boolean {
    return this.#folded.some((source) => source.includes(folded))
  }

  /** True when the text is another form of a value in the source. */
  #isSupported(text: string): boolean {
    const inFigures = this.#figures.has(text)
    if (inFigures !== null) return inFigures
    if (/^[A-Z]{3}$/.test(text)) return this.#raw.includes(SYMBOLS.get(text) ?? text)
    if (/^[A-Za-z]{2}$/.test(text)) return this.#names(text)
    if (/^\+\d{8,15}$/.test(text)) return this.#hasNumber(text.slice(1))
    return this.#hasAddress(text)
  }

  /** A telephone number with or without country code, as opposed to a plain number. */
  #hasNumber(digits: string): boolean {
    return [...this.#raw.matchAll(/(?<!\d)(?:[+0]\d|\(0?\d|\d{2,5}[ ()./-])[\d ()./-]{5,24}/g)].some(([written]) => {
      const own = written.replace(/\D/g, '').replace(/^0+/, '')
      return own.length >= LEAST_NUMBER && digits.endsWith(own)
    })
  }

  #names(code: string): boolean {
    const type = code === code.toUpperCase() ? 'region' : 'language'
    return LANGUAGES.some((language) => {
      const name = new Intl.DisplayNames([language], { type, fallback: 'none' }).of(code)
      return name !== undefined && this.#includes(fold(name))
    })
  }

  #hasAddress(text: string): boolean {
    const url = parseUrl(text)
    if (url === null || !/^https?:$/.test(url.protocol)) return false
    const bare = fold(`${url.host.replace(/^www\./, '')}${url.pathname}${url.search}`)
    if (this.#includes(bare)) return true
    const path = fold(`${url.pathname}${url.search}`)
    return url.origin === this.#page?.origin && path.length > WHOLE_WORDS && this.#includes(path)
  }
}

/** A value listed by the schema itself, which need not be in the source. */
export function isChoice(value: string, nodes: readonly Readonly<Record<string, unknown>>[]): boolean {
  return nodes.some(
    (node) => isRecord(node) && ((Array.isArray(node.enum) && node.enum.includes(value)) || node.const === value || node.default === value),
  )
}
