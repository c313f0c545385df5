import { Parser } from 'htmlparser2'
import type { Content, Kind } from './content.js'
import type { Dialect } from './dialects.js'

/** Void elements of HTML. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Computed fields and tables of contents, which are generated anew. */
const COUNTED = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME|SAVEDATE|PRINTDATE)\b/
const CONTENTS = /^(?:TOC|Verzeichnis)\d$/i

interface Frame {
  readonly kind: Kind
  text: string
}

interface Open {
  readonly name: string
  readonly frame: boolean
}

/** Reads XML or HTML in one pass and adds it to a content. Deep nesting costs no more than its length. */
export function walk(text: string, dialect: Dialect, content: Content): void {
  new Walk(dialect, content).read(text)
}

class Walk {
  readonly #dialect: Dialect
  readonly #content: Content
  readonly #frames: Frame[] = [{ kind: 'paragraphs', text: '' }]
  readonly #open: Open[] = []
  /** Number of open elements where the skipped part started. */
  #skipped: number | null = null
  #item = false
  #dropped = false
  #vanished = false
  /** Whether the open frame has a picture. */
  #shown = false
  /** Number of open elements with text. */
  #inText = 0

  constructor(dialect: Dialect, content: Content) {
    this.#dialect = dialect
    this.#content = content
  }

  read(text: string): void {
    const xml = this.#dialect.html !== true
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#begin(local(name), attributes),
        ontext: (piece) => this.#add(piece),
        onclosetag: (name) => this.#end(local(name)),
      },
      { xmlMode: xml, recognizeSelfClosing: true, recognizeCDATA: true },
    )
    parser.end(text)
    while (this.#frames.length > 1) this.#pop()
    this.#flush()
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const { blocks, kinds, blanks, skips, texts, hidden, picture, html } = this.#dialect
    const kind = this.#skipped === null ? kinds[name] : undefined
    const alone = html === true && VOID.has(name)
    if (!alone) this.#open.push({ name, frame: kind !== undefined })
    if (this.#skipped !== null) return
    if (skips.has(name) || hidden?.(attributes) === true) {
      if (alone) return
      if (kind !== undefined) this.#open.splice(-1, 1, { name, frame: false })
      this.#skipped = this.#open.length
      return
    }
    if (name === 'frame') this.#shown = false
    if (picture(name, attributes)) this.#picture(name)
    if (kind !== undefined) this.#push(kind)
    else if (blocks.has(name)) this.#boundary()
    if (blanks.has(name)) this.#write(' ')
    if (texts?.has(name) === true) this.#inText++
    this.#mark(name, attributes)
  }

  /** The first picture of an OpenDocument frame is shown; others are alternatives (ODF 1.3 part 3, 10.4.2). */
  #picture(name: string): void {
    const again = name === 'image' && this.#open.at(-2)?.name === 'frame' && this.#shown
    if (!again && this.#content.pictures !== null) this.#content.pictures++
    this.#shown = true
  }

  /** WordprocessingML properties of the current paragraph or run. */
  #mark(name: string, attributes: Readonly<Record<string, string>>): void {
    const value = attributes['w:val']
    if (name === 'numPr') this.#item = true
    else if (name === 'r') this.#vanished = false
    else if (name === 'vanish') this.#vanished = value !== '0' && value !== 'false'
    else if (name === 'pStyle') this.#dropped ||= CONTENTS.test(value ?? '')
    else if (name === 'fldSimple') this.#dropped ||= COUNTED.test(attributes['w:instr'] ?? '')
    else if ((name === 'br' && attributes['w:type'] === 'page') || name === 'pageBreakBefore') this.#content.breaks++
  }

  #add(piece: string): void {
    if (this.#skipped !== null) return
    if (this.#dialect.texts === undefined) this.#write(piece)
    else if (this.#inText > 0) {
      if (!this.#vanished) this.#write(piece)
    } else if (this.#open.at(-1)?.name === 'instrText') this.#dropped ||= COUNTED.test(piece)
  }

  #end(name: string): void {
    const { blocks, blanks, texts, html } = this.#dialect
    if (html === true && VOID.has(name)) return
    const opened = this.#open.pop()
    if (this.#skipped !== null) {
      if (this.#open.length < this.#skipped) this.#skipped = null
      return
    }
    if (texts?.has(name) === true) this.#inText--
    if (opened?.frame === true) this.#pop()
    else if (blocks.has(name)) this.#boundary()
    else if (blanks.has(name)) this.#write(' ')
  }

  #write(text: string): void {
    const frame = this.#frames.at(-1)
    if (frame !== undefined) frame.text += text
  }

  /** Ends a paragraph: as a separate block, or as part of a cell or an item. */
  #boundary(): void {
    if (this.#frames.length === 1) this.#flush()
    else this.#write(' ')
  }

  #push(kind: Kind): void {
    if (this.#frames.length === 1) this.#flush()
    else this.#write(' ')
    this.#frames.push({ kind, text: '' })
  }

  #pop(): void {
    const frame = this.#frames.pop()
    if (frame === undefined) return
    // A header or footer paragraph with the page number is generated anew.
    if (frame.text.trim() !== '' && !(frame.kind === 'margins' && this.#dropped)) this.#content.blocks.push(frame)
    if (this.#frames.length === 1) this.#item = this.#dropped = false
  }

  #flush(): void {
    const [frame] = this.#frames
    if (frame !== undefined && frame.text.trim() !== '' && !this.#dropped)
      this.#content.blocks.push({ kind: this.#item ? 'items' : 'paragraphs', text: frame.text })
    if (frame !== undefined) frame.text = ''
    this.#item = this.#dropped = false
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
