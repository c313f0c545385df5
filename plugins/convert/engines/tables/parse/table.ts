import { Fault } from '../../../../../core/sdk/fault.js'

/** Maximum columns of a sheet, and cells of a table. */
const LIMITS = { columns: 16_384, cells: 20_000_000 }
/** Lines joined at once. */
const BATCH = 500
/** The next JSON token (RFC 8259): a mark, the start of a string, a number, or a literal. */
const TOKEN = /[ \t\r\n]*(?:([[\]{},:])|(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)(?![a-z]))/y

/** A cell as written; null for null. */
type Cell = string | null

/**
 * Converts a JSON list of flat objects to a table: a header line, then one line for each object. Numbers stay as
 * written. Throws Fault `invalid` for other JSON, with the position of the first value that is not a flat object, and
 * for a table that would be too large.
 */
export function tableOf(text: string, separator: string): { readonly notes: string[]; readonly data: Buffer } {
  const places = new Map<string, number>()
  const rows = new Reader(text).rows(places)
  if (rows.length * places.size > LIMITS.cells)
    throw refused(
      `The objects have ${places.size} fields in ${rows.length} lines; at most ${LIMITS.cells / 1e6} million cells are written.`,
    )
  const parts: Buffer[] = []
  const line = (cells: readonly Cell[]): string => `${cells.map((cell) => written(cell ?? '', separator)).join(separator)}\n`
  let lines = [line([...places.keys()])]
  let empty = 0
  for (const row of rows) {
    const cells = Array.from({ length: places.size }, (_, at) => row[at] ?? null)
    empty += cells.filter((cell) => cell === null).length
    lines.push(line(cells))
    if (lines.length < BATCH) continue
    parts.push(Buffer.from(lines.join('')))
    lines = []
  }
  parts.push(Buffer.from(lines.join('')))
  const notes = empty === 0 ? [] : [`${empty} fields that are null or not there are empty cells.`]
  return { notes, data: Buffer.concat(parts) }
}

function written(cell: string, separator: string): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Reads a list of flat objects from start to end. */
class Reader {
  readonly #text: string
  #at = 0
  #record = 0

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/, '')
  }

  /** The objects, each with its cells at the columns of their names, which are added to `places`. */
  rows(places: Map<string, number>): Cell[][] {
    const rows: Cell[][] = []
    this.#mark('[')
    if (this.#peek() === ']') this.#mark(']')
    else
      do {
        this.#record++
        rows.push(this.#object(places))
      } while (this.#goesOn(']'))
    if (this.#text.slice(this.#at).trim() !== '') throw this.#malformed()
    if (places.size === 0) throw refused('The list has no objects with fields, of which a table could be made.')
    return rows
  }

  #object(places: Map<string, number>): Cell[] {
    if (this.#peek() !== '{') throw refused(`Item ${this.#record} of the list is no object: only a list of flat objects becomes a table.`)
    this.#mark('{')
    const cells: Cell[] = []
    if (this.#peek() === '}') {
      this.#mark('}')
      return cells
    }
    do {
      const { text: name } = this.#next()
      if (name === undefined) throw this.#malformed()
      this.#mark(':')
      const place = placeOf(name, places)
      const shown = JSON.stringify(name.slice(0, 80))
      if (cells[place] !== undefined) throw refused(`Object ${this.#record} has ${shown} twice.`)
      cells[place] = this.#value(shown)
    } while (this.#goesOn('}'))
    return cells
  }

  #value(name: string): Cell {
    const { mark, text, number, word } = this.#next()
    if (mark === '{' || mark === '[') {
      const kind = mark === '{' ? 'an object' : 'a list'
      throw refused(`${name} of object ${this.#record} is ${kind}: only a list of flat objects becomes a table.`)
    }
    if (text !== undefined) return text
    if (number !== undefined) return number
    if (word !== undefined) return word === 'null' ? null : word
    throw this.#malformed()
  }

  /** Whether another element follows; consumes the end. */
  #goesOn(end: string): boolean {
    const { mark } = this.#next()
    if (mark !== ',' && mark !== end) throw this.#malformed()
    return mark === ','
  }

  #mark(wanted: string): void {
    if (this.#next().mark !== wanted)
      throw this.#at <= 1 && wanted === '['
        ? refused('The file is not a JSON list: only a list of flat objects can become a table.')
        : this.#malformed()
  }

  #peek(): string | undefined {
    const before = this.#at
    const { mark } = this.#next()
    this.#at = before
    return mark
  }

  #next(): { mark?: string | undefined; text?: string | undefined; number?: string | undefined; word?: string | undefined } {
    TOKEN.lastIndex = this.#at
    const match = TOKEN.exec(this.#text)
    if (match === null) throw this.#malformed()
    this.#at = TOKEN.lastIndex
    const [, mark, quote, number, word] = match
    return { mark, text: quote === undefined ? undefined : this.#string(), number, word }
  }

  /** The string whose opening quote was read. By search, since an expression over megabytes of one string overflows the stack. */
  #string(): string {
    const from = this.#at - 1
    let end = from
    let isEscaped = true
    while (isEscaped) {
      end = this.#text.indexOf('"', end + 1)
      if (end === -1) throw this.#malformed()
      let before = end
      while (this.#text[before - 1] === '\\') before--
      isEscaped = (end - before) % 2 === 1
    }
    try {
      const value: unknown = JSON.parse(this.#text.slice(from, end + 1))
      this.#at = end + 1
      return String(value)
    } catch (error) {
      if (error instanceof SyntaxError) throw this.#malformed()
      throw error
    }
  }

  #malformed(): Fault {
    const line = this.#text.slice(0, this.#at).split('\n').length
    return refused(`The file is no well-formed JSON: line ${line} cannot be read.`)
  }
}

function placeOf(name: string, places: Map<string, number>): number {
  const known = places.get(name)
  if (known !== undefined) return known
  if (places.size >= LIMITS.columns) throw refused(`The objects have more than ${LIMITS.columns} different fields.`)
  places.set(name, places.size)
  return places.size - 1
}

function refused(why: string): Fault {
  return new Fault('invalid', why, { loc: ['file_url'] })
}
