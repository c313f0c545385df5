import { Parser } from 'htmlparser2'
import { parseUrl } from '../../../core/sdk/url.js'
import { addressIn } from '../site/address-in.js'
import { foundedIn } from '../site/founded-in.js'
import { furtherLinks, type FurtherLink } from '../site/further-links.js'
import type { FurtherKind } from '../site/further-words.js'

/** A fetched page, and which page of a website it is. */
export interface HomeInput {
  readonly bytes: Uint8Array
  readonly charset: string
  readonly url: string
  readonly kind: 'home' | FurtherKind
}

/** Content of a page beside its metadata. */
export interface Home {
  /** Readable text from the start of the page. */
  readonly text: string
  readonly address: string | null
  readonly founded: number | null
  /** Addresses of pictures named as a logo, as written on the page. */
  readonly logos: readonly string[]
  /** Colours of the icon's mask. */
  readonly colours: readonly string[]
  /** Addresses of scripts and frames, to detect the site builder. */
  readonly loads: readonly string[]
  /** The first characters of inline scripts. */
  readonly script: string
  /** Pages of the same host that may have more facts. */
  readonly further: readonly FurtherLink[]
}

const MOST_TEXT = 60_000
const KEPT_TEXT = 12_000
const MOST_FOOTER = 8_000
const MOST_LISTED = 200
const MOST_ADDRESSES = 20
const MOST_LINKS = 1_000
const LONGEST_LINK = 60
const MOST_SCRIPT = 4_000
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title', 'select', 'textarea'])
/** Elements that do not end a line. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'cite',
  'code',
  'em',
  'font',
  'i',
  'img',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'u',
  'wbr',
])

type Attributes = Readonly<Record<string, string>>

/** Parses the markup of a page in one pass, in linear time. Runs in a worker thread. */
export default function home({ bytes, charset, url, kind }: HomeInput): Home {
  const reader = new HomeReader()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(decoded(bytes, charset))
  return reader.result(url, kind)
}

class HomeReader {
  #unseen = 0
  #footer = 0
  #address = 0
  #header = 0
  #inScript = false
  #script = ''
  #length = 0
  readonly #all: string[] = []
  /** The text of the last footer, which is the page's. */
  #footerText = ''
  readonly #addresses: string[] = []
  readonly #logos: string[] = []
  readonly #headerLogos: string[] = []
  readonly #colours: string[] = []
  readonly #loads: string[] = []
  readonly #links: { href: string; text: string }[] = []
  #link: { href: string; text: string } | null = null
  #base = ''

  open(name: string, attributes: Attributes): void {
    if (UNSEEN.has(name)) this.#unseen++
    if (!INLINE.has(name)) this.#break()
    if (name === 'footer') {
      if (this.#footer === 0) this.#footerText = ''
      this.#footer++
    }
    if (name === 'header' || name === 'nav') this.#header++
    if (name === 'address') {
      this.#address++
      if (this.#addresses.length < MOST_ADDRESSES) this.#addresses.push('')
    }
    this.#inScript = name === 'script'
    const loaded = name === 'script' || name === 'iframe' || name === 'frame' ? attributes['src'] : undefined
    if (loaded !== undefined && this.#loads.length < MOST_LISTED) this.#loads.push(loaded.slice(0, 500))
    if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh')
      this.#loads.push((attributes['content'] ?? '').slice(0, 500))
    if (name === 'link' && attributes['color'] !== undefined && /\bmask-icon\b/i.test(attributes['rel'] ?? ''))
      this.#colours.push(attributes['color'].slice(0, 40))
    if (name === 'img') this.#picture(attributes)
    if (name === 'base' && this.#base === '') this.#base = (attributes['href'] ?? '').slice(0, 2_000)
    if (name === 'a') this.#anchor(attributes['href'] ?? '')
  }

  text(text: string): void {
    if (this.#inScript && this.#script.length < MOST_SCRIPT) this.#script += text.slice(0, MOST_SCRIPT)
    if (this.#unseen > 0) return
    if (this.#link !== null && this.#link.text.length < LONGEST_LINK) this.#link.text += text.slice(0, LONGEST_LINK)
    this.#keep(text)
    if (this.#length > MOST_TEXT) return
    this.#length += text.length
    this.#all.push(text)
  }

  close(name: string): void {
    if (UNSEEN.has(name)) this.#unseen = Math.max(0, this.#unseen - 1)
    if (!INLINE.has(name)) this.#break()
    if (name === 'footer') this.#footer = Math.max(0, this.#footer - 1)
    if (name === 'header' || name === 'nav') this.#header = Math.max(0, this.#header - 1)
    if (name === 'address') this.#address = Math.max(0, this.#address - 1)
    if (name === 'script') this.#inScript = false
    if (name === 'a') this.#link = null
  }

  result(url: string, kind: HomeInput['kind']): Home {
    const text = lines(this.#all.join(''))
    const footer = lines(this.#footerText)
    return {
      text: text.slice(0, KEPT_TEXT),
      address: this.#addressOf(kind, text, footer),
      founded: foundedIn(`${text}\n${footer}`),
      logos: [...this.#headerLogos, ...this.#logos],
      colours: this.#colours,
      loads: this.#loads,
      script: this.#script,
      further: kind === 'home' ? furtherLinks(this.#links, parseUrl(this.#base, url)?.href ?? url, url) : [],
    }
  }

  /** On an imprint or contact page, the address may be anywhere. */
  #addressOf(kind: HomeInput['kind'], text: string, footer: string): string | null {
    const marked = this.#addresses.map((each) => addressIn(lines(each), true)).find((each) => each !== null)
    const shown = kind === 'imprint' || kind === 'contact' ? addressIn(shortLines(text), false) : null
    return marked ?? shown ?? addressIn(footer, false)
  }

  #anchor(href: string): void {
    this.#link = null
    if (href === '' || href.length > 2_000 || this.#links.length >= MOST_LINKS) return
    this.#link = { href, text: '' }
    this.#links.push(this.#link)
  }

  #break(): void {
    if (this.#unseen > 0) return
    this.#keep('\n')
    if (this.#length <= MOST_TEXT) this.#all.push('\n')
  }

  /** Collects text that may contain an address. */
  #keep(text: string): void {
    const last = this.#addresses.length - 1
    if (this.#address > 0 && (this.#addresses[last]?.length ?? MOST_FOOTER) < 1_000) this.#addresses[last] += text.slice(0, 500)
    if (this.#footer > 0 && this.#footerText.length < MOST_FOOTER) this.#footerText += text.slice(0, MOST_FOOTER)
  }

  /** A picture whose name, class or description calls it a logo; logos of customers and partners are skipped. */
  #picture(attributes: Attributes): void {
    const source = attributes['src'] ?? attributes['data-src'] ?? ''
    if (source === '' || source.startsWith('data:') || source.length > 2_000) return
    const words = [source.split(/[?#]/)[0]?.split('/').at(-1), attributes['class'], attributes['id'], attributes['alt']]
      .join(' ')
      .slice(0, 500)
    if (!/logo|wordmark/i.test(words) || /customer|client|partner|sponsor|press|award|payment|trusted/i.test(`${words} ${source}`)) return
    const list = this.#header > 0 ? this.#headerLogos : this.#logos
    if (list.length < 5) list.push(source)
  }
}

function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Lines that can be part of an address; sentences may have a year before a name. */
function shortLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.length <= 100 && !/[.!?]$/.test(line))
    .join('\n')
}

function decoded(bytes: Uint8Array, charset: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  const named = charset === '' ? (/<meta[^>]{0,200}charset=["']?([\w-]{2,40})/i.exec(head)?.[1] ?? 'utf-8') : charset
  try {
    return new TextDecoder(named).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes)
    throw error
  }
}
