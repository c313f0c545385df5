/** A name, without its slash (ISO 32000-1, 7.3.5). */
export class Name {
  constructor(readonly text: string) {}
}

/** A reference to an indirect object, by its number. */
export class Reference {
  constructor(readonly number: number) {}
}

/** A keyword that is not an object: an operator of a content stream, `obj`, `stream`, a closing bracket. */
export class Operator {
  constructor(readonly text: string) {}
}

export class Dictionary extends Map<string, PdfValue> {}

/** A stream with its raw bytes. */
export class Stream {
  constructor(
    readonly dictionary: Dictionary,
    readonly packed: Buffer,
  ) {}
}

/** An object of a PDF; strings are bytes. */
export type PdfValue = null | boolean | number | Buffer | Name | Reference | PdfValue[] | Dictionary | Stream

const MAX_DEPTH = 64

/** A limit of the reader that a file exceeds; the message is the end of a sentence that starts with what was not read. */
export class PdfLimit extends Error {}

/** Why something was not read, as the end of a sentence. Rethrows anything but an Error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return error instanceof PdfLimit ? error.message : 'its objects are broken'
}
const WHITE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set(Buffer.from('()<>[]{}/%'))
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const [SLASH, OPEN, CLOSE, LESS, GREATER, BRACKET, PERCENT, BACKSLASH, HASH] = Buffer.from('/()<>[%\\#')

/** Reads objects and operators in sequence (ISO 32000-1, 7.2 and 7.3). */
export class Syntax {
  at: number
  readonly #bytes: Buffer

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  /** The next object or operator; undefined at the end. Throws a PdfLimit for objects nested more than 64 deep. */
  next(depth = 0): PdfValue | Operator | undefined {
    if (depth > MAX_DEPTH) throw new PdfLimit('its objects are nested too deep')
    this.skip()
    switch (this.#bytes[this.at]) {
      case undefined:
        return undefined
      case SLASH:
        return this.#name()
      case OPEN:
        return this.#literal()
      case LESS:
        return this.#bytes[this.at + 1] === LESS ? this.#dictionary(depth) : this.#hexadecimal()
      case BRACKET:
        this.at += 1
        return this.#until(']', depth)
      default:
        return this.#word()
    }
  }

  /** Skips blanks and comments. */
  skip(): void {
    for (let byte = this.#bytes[this.at]; byte !== undefined; byte = this.#bytes[this.at]) {
      if (WHITE.has(byte)) this.at += 1
      else if (byte === PERCENT) while (!isLineEnd(this.#bytes[this.at])) this.at += 1
      else return
    }
  }

  #name(): Name {
    const from = ++this.at
    this.#regular()
    const text = this.#bytes.toString('latin1', from, this.at)
    return new Name(
      this.#bytes.subarray(from, this.at).includes(HASH ?? 0)
        ? text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        : text,
    )
  }

  #regular(): void {
    for (let byte = this.#bytes[this.at]; byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte); byte = this.#bytes[this.at])
      this.at += 1
  }

  #literal(): Buffer {
    const from = ++this.at
    let escaped = false
    for (let depth = 1; this.at < this.#bytes.length; this.at += 1) {
      const byte = this.#bytes[this.at]
      if (byte === BACKSLASH) {
        escaped = true
        this.at += 1
      } else if (byte === OPEN) depth += 1
      else if (byte === CLOSE && --depth === 0) break
    }
    const text = this.#bytes.subarray(from, this.at)
    this.at += 1
    return escaped ? Buffer.from(unescaped(text.toString('latin1')), 'latin1') : text
  }

  #hexadecimal(): Buffer {
    const end = this.#bytes.indexOf('>', this.at)
    const until = end === -1 ? this.#bytes.length : end
    const digits = this.#bytes.toString('latin1', this.at + 1, until).replace(/[^0-9a-f]+/gi, '')
    this.at = until + 1
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }

  #dictionary(depth: number): Dictionary {
    this.at += 2
    const values = this.#until('>>', depth)
    const found = new Dictionary()
    for (let at = 0; at + 1 < values.length; at += 2) {
      const [key, value] = [values[at], values[at + 1]]
      if (key instanceof Name && value !== undefined) found.set(key.text, value)
    }
    return found
  }

  #until(end: string, depth: number): PdfValue[] {
    const found: PdfValue[] = []
    for (let value = this.next(depth + 1); value !== undefined; value = this.next(depth + 1)) {
      if (!(value instanceof Operator)) found.push(value)
      else if (value.text === end || value.text.startsWith('end')) break
    }
    return found
  }

  #word(): PdfValue | Operator {
    const from = this.at
    this.#regular()
    if (this.at === from) {
      this.at += this.#bytes[from] === GREATER && this.#bytes[from + 1] === GREATER ? 2 : 1
      return new Operator(this.#bytes.toString('latin1', from, this.at))
    }
    const text = this.#bytes.toString('latin1', from, Math.min(this.at, from + 100))
    if (/^\d+$/.test(text)) return this.#reference(Number(text))
    if (/^[+-]*(?:\d+\.?\d*|\.\d+)/.test(text)) return Number.parseFloat(text.replace(/^[+-]*-/, '-').replace(/^\+/, ''))
    return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : new Operator(text)
  }

  /** A reference if a generation number and an R follow, else the number. */
  #reference(number: number): number | Reference {
    const behind = this.at
    this.skip()
    const from = this.at
    this.#regular()
    if (this.at - from <= 5 && /^\d+$/.test(this.#bytes.toString('latin1', from, this.at))) {
      this.skip()
      const mark = this.at
      this.#regular()
      if (this.at === mark + 1 && this.#bytes[mark] === 0x52) return new Reference(number)
    }
    this.at = behind
    return number
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === undefined || byte === 10 || byte === 13
}

/** A literal string without its escapes (ISO 32000-1, 7.3.4.2). */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-7]{1,3})|(\r\n|[^]))/g, (_, octal: string | undefined, other: string | undefined = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return /[\r\n]/.test(other) ? '' : (ESCAPES[other] ?? other)
  })
}
