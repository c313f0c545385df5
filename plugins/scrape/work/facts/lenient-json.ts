/** Deeper values are dropped: no description of a page has them. */
const DEEPEST = 200

/**
 * The objects and lists in a text that resembles JSON, each as strict JSON: comments, extra or missing commas and
 * semicolons, JavaScript escapes, both kinds of quotes, unquoted names, raw control characters, quotes inside
 * strings, consecutive values. Text after something unreadable is dropped. Linear time.
 */
export function lenientJson(text: string): string[] {
  return new Reader(text).values()
}

/** An open object or list. */
interface Open {
  readonly list: boolean
  /** The expected next part of an object: a name, its colon, its value. */
  next: 'name' | 'colon' | 'value'
  empty: boolean
}

const BLANK = /[\s\ufeff]/
const MARKS = ['<!--', '-->', '<![CDATA[', ']]>']
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** Characters that may follow the quote at the end of a string. */
const AFTER_STRING = /[,:;}\]"'/<]/

class Reader {
  readonly #text: string
  readonly #found: string[] = []
  readonly #stack: Open[] = []
  #out: string[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  values(): string[] {
    while (this.#at < this.#text.length) if (!this.#step()) break
    return this.#found
  }

  /** Reads one token; false when it is unreadable. */
  #step(): boolean {
    const sign = this.#text.charAt(this.#at)
    if (BLANK.test(sign) || sign === ',' || sign === ';') {
      this.#at += 1
      return true
    }
    if (this.#skipped()) return true
    if (sign === '{' || sign === '[') return this.#open(sign)
    if (sign === '}' || sign === ']') return this.#close(sign)
    const open = this.#stack.at(-1)
    if (sign === ':') {
      this.#at += 1
      if (open === undefined) return true
      if (open.list || open.next !== 'colon') return false
      open.next = 'value'
      this.#out.push(':')
      return true
    }
    return this.#scalar(sign === '"' || sign === "'" ? this.#string(sign) : this.#word())
  }

  /** Skips a comment or an enclosing mark. */
  #skipped(): boolean {
    const mark = MARKS.find((one) => this.#text.startsWith(one, this.#at))
    if (mark !== undefined) this.#at += mark.length
    else if (this.#text.startsWith('//', this.#at)) this.#at = this.#past('\n', this.#at)
    else if (this.#text.startsWith('/*', this.#at)) this.#at = this.#past('*/', this.#at + 2)
    else return false
    return true
  }

  #past(end: string, from: number): number {
    const at = this.#text.indexOf(end, from)
    return at < 0 ? this.#text.length : at + end.length
  }

  #open(sign: '{' | '['): boolean {
    if (!this.#beginValue() || this.#stack.length >= DEEPEST) return false
    this.#stack.push({ list: sign === '[', next: 'name', empty: true })
    this.#out.push(sign)
    this.#at += 1
    return true
  }

  #close(sign: '}' | ']'): boolean {
    const open = this.#stack.at(-1)
    this.#at += 1
    // An extra closing bracket after a complete value.
    if (open === undefined) return true
    if (open.list !== (sign === ']') || (!open.list && open.next !== 'name')) return false
    this.#stack.pop()
    this.#out.push(sign)
    if (this.#stack.length === 0) {
      this.#found.push(this.#out.join(''))
      this.#out = []
    }
    return true
  }

  #scalar(json: string): boolean {
    const open = this.#stack.at(-1)
    // Words outside of values belong to the surrounding script.
    if (open === undefined) return true
    if (!open.list && open.next === 'name') {
      if (!open.empty) this.#out.push(',')
      open.empty = false
      open.next = 'colon'
      this.#out.push(json.startsWith('"') ? json : JSON.stringify(json))
      return true
    }
    if (!this.#beginValue()) return false
    this.#out.push(json)
    return true
  }

  /** Writes the comma before a list element; false when no value is allowed. */
  #beginValue(): boolean {
    const open = this.#stack.at(-1)
    if (open === undefined) return true
    if (open.list) {
      if (!open.empty) this.#out.push(',')
      open.empty = false
      return true
    }
    if (open.next !== 'value') return false
    open.next = 'name'
    return true
  }

  /** A string as JSON. A quote that is not followed by JSON syntax is part of it. */
  #string(quote: string): string {
    const parts: string[] = []
    this.#at += 1
    while (this.#at < this.#text.length) {
      const sign = this.#text.charAt(this.#at)
      this.#at += 1
      if (sign === '\\') parts.push(this.#escaped())
      else if (sign === quote && this.#endsHere()) break
      else if (sign >= ' ') parts.push(sign)
      else if (parts.at(-1) !== ' ') parts.push(' ')
    }
    return JSON.stringify(parts.join(''))
  }

  #endsHere(): boolean {
    let at = this.#at
    while (at < this.#text.length && BLANK.test(this.#text.charAt(at))) at += 1
    return (
      at >= this.#text.length ||
      AFTER_STRING.test(this.#text.charAt(at)) ||
      (this.#stack.at(-1)?.list === false && at > this.#at && this.#stack.at(-1)?.next === 'name')
    )
  }

  #escaped(): string {
    const sign = this.#text.charAt(this.#at)
    this.#at += 1
    const digits = sign === 'x' ? 2 : sign === 'u' ? 4 : 0
    const code = this.#text.slice(this.#at, this.#at + digits)
    if (digits > 0 && code.length === digits && /^[\da-f]+$/i.test(code)) {
      this.#at += digits
      return String.fromCharCode(parseInt(code, 16))
    }
    return ESCAPES[sign] ?? sign
  }

  /** An unquoted word as JSON: a number, a constant, or a text. */
  #word(): string {
    const from = this.#at
    while (this.#at < this.#text.length && !/[\s,:;{}[\]"']/.test(this.#text.charAt(this.#at))) this.#at += 1
    // An unexpected character.
    if (this.#at === from) this.#at += 1
    const word = this.#text.slice(from, this.#at)
    if (word === 'true' || word === 'false' || word === 'null') return word
    if (word === 'undefined' || word === 'NaN' || word === 'Infinity') return 'null'
    const number = word.length < 30 && NUMBER.test(word) ? Number(word) : NaN
    return Number.isFinite(number) ? String(number) : JSON.stringify(word)
  }
}

/** Single-character escapes; an escaped line break is dropped. */
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '', '\r': '' }
