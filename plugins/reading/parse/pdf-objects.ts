import { unpacked } from './pdf-filters.js'
import { Dictionary, Name, Operator, PdfLimit, Reference, Stream, Syntax, type PdfValue } from './pdf-syntax.js'

const MAX_OBJECTS = 1_000_000
const MAX_SECTIONS = 1_000
/** Bytes of unpacked object streams that are cached. */
const MAX_KEPT = 64 * 1024 * 1024
/** Objects read to resolve one, such as the length of a stream. */
const MAX_OPEN = 20
const NONE = new Dictionary()

/** Location of an object: at a byte of the file, or in an object stream. */
type Place = { readonly offset: number } | { readonly within: number; readonly index: number }

interface Numbered {
  readonly number: number
  readonly value: PdfValue
}

interface Packed {
  readonly bytes: Buffer
  /** Locations of the objects, in order. */
  readonly offsets: readonly number[]
}

/**
 * The raw objects of a PDF, for data that pdf.js does not expose. Found by the cross-reference tables (ISO 32000-1,
 * 7.5.4 and 7.5.8) or, when these are damaged, by scanning. Strings and streams of an encrypted file are as stored.
 * All methods throw a PdfLimit for objects that are nested too deep or too many, and when the time is over.
 */
export class PdfObjects {
  /** The trailer; empty without one. */
  trailer: Dictionary = NONE
  readonly #bytes: Buffer
  readonly #places = new Map<number, Place | null>()
  readonly #packed = new Map<number, Packed | null>()
  /** Numbers of objects being resolved: a circular one is null. */
  readonly #open = new Set<number>()
  #kept = 0
  #searched = false
  #until = 0

  /** Reads the locations of the objects, for at most so many milliseconds. */
  constructor(bytes: Uint8Array, ms: number) {
    this.limit(ms)
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#bytes = all.subarray(Math.max(0, all.subarray(0, 2048).indexOf('%PDF-')))
    if (!this.#tables() || !(this.get(this.trailer.get('Root')) instanceof Dictionary)) this.#search()
  }

  /** Sets the time limit in milliseconds for what is read next. */
  limit(ms: number): void {
    this.#until = performance.now() + ms
  }

  /** Throws a PdfLimit when the time is over. */
  check(): void {
    if (performance.now() > this.#until) throw new PdfLimit('that took too long')
  }

  get encrypted(): boolean {
    return this.trailer.has('Encrypt')
  }

  /** The catalogue; an empty dictionary without one. */
  get catalogue(): Dictionary {
    return this.dictionary(this.trailer.get('Root'))
  }

  /** Resolves a value or reference; null when absent. */
  get(value: PdfValue | undefined): PdfValue {
    for (let hops = 0; value instanceof Reference; hops += 1) value = hops > 8 ? null : this.#object(value.number)
    return value ?? null
  }

  /** The dictionary of a value, its reference or its stream, else an empty one. */
  dictionary(value: PdfValue | undefined): Dictionary {
    const found = this.get(value)
    return found instanceof Dictionary ? found : found instanceof Stream ? found.dictionary : NONE
  }

  /** A list, or a single value as a list. */
  list(value: PdfValue | undefined): readonly PdfValue[] {
    const found = this.get(value)
    return Array.isArray(found) ? found : found === null ? [] : [value instanceof Reference ? value : found]
  }

  /** The bytes of a stream without its filters; null when they cannot be unpacked or exceed 32 MiB. */
  unpacked({ dictionary, packed }: Stream): Buffer | null {
    const values = (...names: string[]): PdfValue[] =>
      this.list(names.map((name) => dictionary.get(name)).find((each) => each !== undefined)).map((each) => this.get(each))
    return unpacked(packed, values('Filter', 'F'), values('DecodeParms', 'DP'))
  }

  #object(number: number): PdfValue {
    const place = this.#places.get(number)
    if (place == null || this.#open.has(number) || this.#open.size > MAX_OPEN) return null
    this.#open.add(number)
    let found: Numbered | null
    try {
      found = 'within' in place ? { number, value: this.#inStream(place.within, place.index) } : this.#at(place.offset)
    } finally {
      this.#open.delete(number)
    }
    if (found?.number === number) return found.value
    if (this.#searched) return null
    this.#search()
    return this.#object(number)
  }

  /** The indirect object that starts at a byte. */
  #at(offset: number): Numbered | null {
    this.check()
    const syntax = new Syntax(this.#bytes, offset)
    const [number, generation, mark] = [syntax.next(), syntax.next(), syntax.next()]
    if (typeof number !== 'number' || typeof generation !== 'number' || !isWord(mark, 'obj')) return null
    const value = syntax.next()
    if (value === undefined || value instanceof Operator) return { number, value: null }
    if (!(value instanceof Dictionary) || !isWord(syntax.next(), 'stream')) return { number, value }
    const start = syntax.at + (this.#bytes[syntax.at] === 13 ? 1 : 0)
    return { number, value: new Stream(value, this.#data(start + (this.#bytes[start] === 10 ? 1 : 0), value)) }
  }

  /** The bytes of a stream: by its length if it ends there, else up to the next end of a stream. */
  #data(start: number, dictionary: Dictionary): Buffer {
    const length = this.get(dictionary.get('Length'))
    if (typeof length === 'number' && length >= 0) {
      const end = new Syntax(this.#bytes, start + length)
      if (isWord(end.next(), 'endstream')) return this.#bytes.subarray(start, start + length)
    }
    const end = this.#bytes.indexOf('endstream', start)
    return this.#bytes.subarray(start, end === -1 ? this.#bytes.length : end)
  }

  #inStream(number: number, index: number): PdfValue {
    this.check()
    const packed = this.#packedAt(number)
    const offset = packed?.offsets[index]
    if (packed === null || offset === undefined) return null
    const value = new Syntax(packed.bytes, offset).next()
    return value === undefined || value instanceof Operator ? null : value
  }

  #packedAt(number: number): Packed | null {
    const known = this.#packed.get(number)
    if (known !== undefined) return known
    const place = this.#places.get(number)
    const stream = place != null && 'offset' in place ? this.#at(place.offset)?.value : null
    const packed = stream instanceof Stream ? this.#unfolded(stream) : null
    if (this.#kept > MAX_KEPT) {
      this.#packed.clear()
      this.#kept = 0
    }
    this.#packed.set(number, packed?.packed ?? null)
    this.#kept += packed?.packed.bytes.length ?? 0
    return packed?.packed ?? null
  }

  /** The objects of an object stream (ISO 32000-1, 7.5.7), with their numbers. */
  #unfolded(stream: Stream): { readonly packed: Packed; readonly numbers: readonly number[] } | null {
    const [bytes, count, first] = [this.unpacked(stream), this.get(stream.dictionary.get('N')), this.get(stream.dictionary.get('First'))]
    if (bytes === null || typeof count !== 'number' || typeof first !== 'number') return null
    const syntax = new Syntax(bytes)
    const [numbers, offsets]: [number[], number[]] = [[], []]
    for (let at = 0; at < count; at += 1) {
      const [number, offset] = [syntax.next(), syntax.next()]
      if (typeof number !== 'number' || typeof offset !== 'number') break
      numbers.push(number)
      offsets.push(first + offset)
    }
    return { packed: { bytes, offsets }, numbers }
  }

  #tables(): boolean {
    const from = this.#bytes.lastIndexOf('startxref')
    const start = from === -1 ? undefined : new Syntax(this.#bytes, from + 9).next()
    const left: PdfValue[] = typeof start === 'number' ? [start] : []
    const seen = new Set<PdfValue>()
    for (let offset = left.shift(); offset !== undefined; offset = left.shift()) {
      if (typeof offset !== 'number' || seen.size > MAX_SECTIONS) return false
      if (seen.has(offset)) continue
      seen.add(offset)
      const trailer = this.#section(offset)
      if (trailer === null) return false
      if (this.trailer === NONE) this.trailer = trailer
      for (const name of ['XRefStm', 'Prev']) left.push(...[trailer.get(name)].filter((value) => value !== undefined))
    }
    return seen.size > 0
  }

  /** Reads a section of the cross-reference table, newest first; returns its trailer, null for an invalid section. */
  #section(offset: number): Dictionary | null {
    const syntax = new Syntax(this.#bytes, offset)
    if (!isWord(syntax.next(), 'xref')) return this.#sectionStream(offset)
    for (let first = syntax.next(); !isWord(first, 'trailer'); first = syntax.next()) {
      const count = syntax.next()
      if (typeof first !== 'number' || typeof count !== 'number') return null
      for (let number = first; number < first + count; number += 1) {
        const [at, , kind] = [syntax.next(), syntax.next(), syntax.next()]
        if (typeof at !== 'number' || !(kind instanceof Operator)) return null
        this.#place(number, kind.text === 'n' ? { offset: at } : null)
      }
    }
    const trailer = syntax.next()
    return trailer instanceof Dictionary ? trailer : null
  }

  #sectionStream(offset: number): Dictionary | null {
    const stream = this.#at(offset)?.value
    const bytes = stream instanceof Stream ? this.unpacked(stream) : null
    if (!(stream instanceof Stream) || bytes === null) return null
    const [w0 = 0, w1 = 0, w2 = 0] = this.list(stream.dictionary.get('W')).map(Number)
    const index = this.list(stream.dictionary.get('Index')).map(Number)
    const width = w0 + w1 + w2
    if (!(width > 0 && width <= 24)) return null
    let at = 0
    const field = (length: number, usual: number): number => {
      if (length === 0) return usual
      let value = 0
      for (const end = at + length; at < end; at += 1) value = value * 256 + (bytes[at] ?? 0)
      return value
    }
    const ranges = index.length === 0 ? [0, Number(this.get(stream.dictionary.get('Size')))] : index
    for (let range = 0; range + 1 < ranges.length; range += 2)
      for (
        let number = ranges[range] ?? 0;
        number < (ranges[range] ?? 0) + (ranges[range + 1] ?? 0) && at + width <= bytes.length;
        number += 1
      ) {
        const [kind, first, second] = [field(w0, 1), field(w1, 0), field(w2, 0)]
        this.#place(number, kind === 1 ? { offset: first } : kind === 2 ? { within: first, index: second } : null)
      }
    return stream.dictionary
  }

  #place(number: number, place: Place | null): void {
    if (this.#places.size > MAX_OBJECTS) throw new PdfLimit('it has too many objects')
    if (number % 256 === 0) this.check()
    if (!this.#places.has(number)) this.#places.set(number, place)
  }

  /** Scans for the objects; of several with one number the last is the newest. */
  #search(): void {
    this.#searched = true
    this.#places.clear()
    this.#packed.clear()
    for (let at = this.#bytes.indexOf(' obj'); at !== -1; at = this.#bytes.indexOf(' obj', at + 4)) {
      const offset = this.#headBefore(at)
      const number = offset === null ? undefined : new Syntax(this.#bytes, offset).next()
      if (offset === null || typeof number !== 'number') continue
      this.#places.delete(number)
      this.#place(number, { offset })
    }
    for (let at = this.#bytes.indexOf('trailer'); at !== -1; at = this.#bytes.indexOf('trailer', at + 7)) {
      const trailer = new Syntax(this.#bytes, at + 7).next()
      if (trailer instanceof Dictionary && trailer.has('Root')) this.trailer = trailer
    }
    for (const [number, place] of [...this.#places].reverse()) {
      const value = place !== null && 'offset' in place ? this.#at(place.offset)?.value : null
      const type = value instanceof Stream ? value.dictionary.get('Type') : null
      if (!(value instanceof Stream) || !(type instanceof Name)) continue
      if (type.text === 'XRef' && value.dictionary.has('Root') && !this.trailer.has('Root')) this.trailer = value.dictionary
      if (type.text === 'ObjStm') this.#unfolded(value)?.numbers.forEach((inner, index) => this.#place(inner, { within: number, index }))
    }
  }

  /** Start of the two numbers before an object mark. */
  #headBefore(mark: number): number | null {
    let at = mark
    const over = (is: (byte: number) => boolean): number => {
      const from = at
      while (at > 0 && mark - at < 40 && is(this.#bytes[at - 1] ?? 0)) at -= 1
      return from - at
    }
    const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
    const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)
    over(isBlank)
    return over(isDigit) > 0 && over(isBlank) > 0 && over(isDigit) > 0 ? at : null
  }
}

function isWord(value: PdfValue | Operator | undefined, text: string): boolean {
  return value instanceof Operator && value.text === text
}
