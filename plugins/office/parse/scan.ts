/**
 * Cell notations. `excel` Office Open XML (ECMA-376 18.3.1), `open` OpenDocument (ODF 1.3 part 3, 9.1), `excel2003`
 * XML Spreadsheet, `gnumeric`, `sylk`.
 */
export type Sheets = 'excel' | 'open' | 'excel2003' | 'gnumeric' | 'sylk'

const TAGS: Readonly<Record<Sheets, RegExp>> = {
  excel: /<(?:\w+:)?(row|c)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  open: /<(\/?)(?:\w+:)?(table|table-row|table-cell|covered-table-cell|p)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  excel2003: /<(?:\w+:)?(Worksheet|Row|Cell)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  gnumeric: /<(?:\w+:)?(Sheet|Cell)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  sylk: /^[CF];[^\r\n]*/gm,
}
/** Maximum characters of a tag. */
const LONGEST_TAG = 64 * 1024

/** Reads the text of sheets in pieces and tracks the extent of their cells. */
export class Extent {
  readonly #kind: Sheets
  #rest = ''
  #row = 0
  #column = 0
  /** The current OpenDocument row: its repetitions, and its last cell with content. */
  #repeated = 0
  #filled = 0
  #lastRow = 0
  #lastColumn = 0
  #largest = 0
  #sum = 0
  #last = ''

  constructor(kind: Sheets) {
    this.#kind = kind
  }

  /** Cells from the first to the last row and column, of all sheets together. */
  get cells(): number {
    return this.#sum
  }

  /** The last cell of the largest sheet, such as XFD1048576. */
  get last(): string {
    return this.#last
  }

  read(text: string): void {
    const seen = this.#rest + text
    let end = 0
    for (const match of seen.matchAll(TAGS[this.#kind])) {
      // A line may continue in the next piece.
      if (this.#kind === 'sylk' && match.index + match[0].length === seen.length) break
      end = match.index + match[0].length
      this.#take(match)
    }
    const open = this.#kind === 'sylk' ? seen.lastIndexOf('\n') + 1 : seen.lastIndexOf('<')
    this.#rest = open >= end && seen.length - open < LONGEST_TAG ? seen.slice(open) : ''
  }

  /** Another sheet follows. */
  endSheet(): void {
    this.#endRow()
    const cells = this.#lastRow * this.#lastColumn
    this.#sum += cells
    if (cells > this.#largest) {
      this.#largest = cells
      this.#last = `${lettersOf(this.#lastColumn)}${String(this.#lastRow)}`
    }
    this.#rest = ''
    this.#row = this.#column = this.#lastRow = this.#lastColumn = 0
  }

  #take(match: RegExpExecArray): void {
    const [whole, one = '', two = '', three = ''] = match
    switch (this.#kind) {
      case 'excel':
        return this.#excel(one, two)
      case 'open':
        return one === '/' ? this.#openEnd(two) : this.#open(two, three)
      case 'excel2003':
        return this.#excel2003(one, two)
      case 'gnumeric':
        return one === 'Sheet' ? this.endSheet() : this.#reach(numberOf(two, 'Row', -1) + 1, numberOf(two, 'Col', -1) + 1)
      case 'sylk':
        this.#row = Number(/;Y(\d{1,9})/.exec(whole)?.[1] ?? this.#row)
        this.#column = Number(/;X(\d{1,9})/.exec(whole)?.[1] ?? this.#column)
        return this.#reach(this.#row, this.#column)
    }
  }

  #excel(tag: string, attributes: string): void {
    if (tag === 'row') {
      this.#row = numberOf(attributes, 'r', this.#row + 1)
      this.#column = 0
      return
    }
    const [, letters = '', row = ''] = /\sr\s*=\s*["']\$?([A-Za-z]{1,4})\$?(\d{1,9})["']/.exec(attributes) ?? []
    this.#column = letters === '' ? this.#column + 1 : columnOf(letters)
    this.#reach(row === '' ? this.#row : Number(row), this.#column)
  }

  #excel2003(tag: string, attributes: string): void {
    if (tag === 'Worksheet') return this.endSheet()
    if (tag === 'Row') {
      this.#row = numberOf(attributes, 'Index', this.#row + 1)
      this.#column = 0
    } else {
      this.#column = numberOf(attributes, 'Index', this.#column + 1) + numberOf(attributes, 'MergeAcross', 0)
      this.#reach(this.#row + numberOf(attributes, 'MergeDown', 0), this.#column)
    }
  }

  #open(tag: string, attributes: string): void {
    if (tag === 'table') return this.endSheet()
    if (tag === 'table-row') {
      this.#endRow()
      this.#repeated = numberOf(attributes, 'number-rows-repeated', 1)
      this.#column = 0
      if (attributes.endsWith('/')) this.#endRow()
      return
    }
    // Styles alone are not content: the last row and column of a sheet are often repeated to its end.
    if (tag !== 'p') this.#column += numberOf(attributes, 'number-columns-repeated', 1)
    if (tag === 'p' || /\s[\w-]+:(?:value-type|formula)\s*=/.test(attributes)) this.#filled = this.#column
  }

  #openEnd(tag: string): void {
    if (tag === 'table-row') this.#endRow()
  }

  #endRow(): void {
    this.#row += this.#repeated
    if (this.#filled > 0) this.#reach(this.#row, this.#filled)
    this.#repeated = this.#filled = 0
  }

  #reach(row: number, column: number): void {
    this.#lastRow = Math.max(this.#lastRow, row)
    this.#lastColumn = Math.max(this.#lastColumn, column)
  }
}

/** The number in an attribute, with any prefix. */
function numberOf(attributes: string, name: string, otherwise: number): number {
  const [, value] = new RegExp(`(?:^|\\s)(?:[\\w-]+:)?${name}\\s*=\\s*["'](\\d{1,9})["']`).exec(attributes) ?? []
  return value === undefined ? otherwise : Number(value)
}

function columnOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

function lettersOf(column: number): string {
  return column <= 0 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))
}
