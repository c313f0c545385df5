import { Parser } from 'htmlparser2'
import { DROPPED } from '../elements.js'
import { Head } from '../head.js'
import { LIMITS, OverLimit } from '../limits.js'
import { Bylines } from './bylines.js'
import { MICRODATA, RDFA } from './dialects.js'
import { Headings } from './headings.js'
import { Items } from './items.js'
import { Links } from './links.js'
import { Tables } from './tables.js'
import { Texts } from './texts.js'

const MOST_TIMES = 100

/** Reads markup once, in linear time, and collects each kind of fact. Throws OverLimit. */
export class FactsReader {
  readonly head: Head
  readonly links: Links
  readonly headings: Headings
  readonly bylines = new Bylines()
  readonly tables: Tables
  readonly microdata: Items
  readonly rdfa: Items
  /** `<time>` elements: the datetime and whether it is marked as that of publication. */
  readonly times: { readonly datetime: string; readonly published: boolean }[] = []
  hasPassword = false
  /** Characters of text. */
  text = 0
  readonly #texts = new Texts()
  #nodes = 0
  #depth = 0
  /** Depth of the open element with unreadable text; 0 when there is none. */
  #skip = 0

  constructor(url: string) {
    this.head = new Head(url)
    const base = (): string => this.head.base
    this.links = new Links(base)
    this.headings = new Headings(this.#texts)
    this.tables = new Tables(this.#texts)
    this.microdata = new Items(MICRODATA, this.#texts, base)
    this.rdfa = new Items(RDFA, this.#texts, base)
  }

  read(html: string): void {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        ontext: (text) => this.#text(text),
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    )
    parser.write(html)
    parser.end()
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#count()
    this.#depth += 1
    if (this.#depth > LIMITS.refuseDepth) throw new OverLimit(`the page has more than ${LIMITS.refuseDepth} elements inside each other`)
    this.head.open(name, attributes, this.#skip > 0)
    if (this.#skip === 0) {
      this.links.open(name, attributes)
      this.headings.open(name)
      this.tables.open(name, attributes)
      this.#time(name, attributes)
      if (name === 'input' && attributes['type']?.toLowerCase() === 'password') this.hasPassword = true
      if (SKIPPED.has(name)) this.#skip = this.#depth
      else this.bylines.open(name, attributes)
    }
    this.microdata.open(name, attributes)
    this.rdfa.open(name, attributes)
  }

  #close(name: string): void {
    this.head.close(name)
    this.microdata.close()
    this.rdfa.close()
    if (this.#skip === 0) {
      this.tables.close(name)
      this.headings.close(name)
      this.bylines.close(name)
    }
    if (this.#skip === this.#depth) this.#skip = 0
    this.#depth -= 1
  }

  #text(text: string): void {
    this.#count()
    this.head.text(text)
    if (this.#skip > 0) return
    this.text += text.trim().length
    this.#texts.add(text)
    this.bylines.text(text)
  }

  #time(name: string, attributes: Record<string, string>): void {
    const datetime = attributes['datetime']
    if (name !== 'time' || datetime === undefined || this.times.length >= MOST_TIMES) return
    const published = attributes['pubdate'] !== undefined || /\b(?:published|entry-date|date-published)\b/.test(attributes['class'] ?? '')
    this.times.push({ datetime: datetime.slice(0, 100), published })
  }

  #count(): void {
    this.#nodes += 1
    if (this.#nodes > LIMITS.nodes) throw new OverLimit(`the page has more than ${LIMITS.nodes} elements and pieces of text`)
  }
}

/** Elements dropped elsewhere; those in a head, a form or a caption are read here. */
const READ: readonly string[] = ['head', 'input', 'button', 'dialog', 'math', 'audio', 'video', 'object', 'map', 'frameset']
const SKIPPED = new Set([...DROPPED, 'math'].filter((name) => !READ.includes(name)))
