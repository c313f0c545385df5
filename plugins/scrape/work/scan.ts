import { Parser } from 'htmlparser2'
import { escapeAttribute, escapeText, isControl, isLine, keep } from './attributes.js'
import { ANCHOR, CONSENT, CONTENT, DROPPED, fenceLanguage, GUTTER, labelOf, lookOf, QUOTED, TO, VOID } from './elements.js'
import { delimited, FORMULA, formulaAt, isDrawn, isKatexDrawing, pictured, type Formula, type FormulaReader } from './formulas.js'
import { mainOf, type Frame } from './frames.js'
import { Head } from './head.js'
import { Controls, hidingOf, isText, isUnfilled, type Hiding } from './hidden.js'
import { LIMITS, OverLimit } from './limits.js'
import { joinIdeographs } from './ideographs.js'
import { Streams } from './streams.js'
import { absolute, imageSource, LINKS, WEB } from './urls.js'

export interface Scanned {
  /** The body without scripts, styles, hidden parts and form controls; addresses absolute, lazy images resolved. */
  readonly html: string
  readonly head: Head
  readonly links: string[]
  /** Characters of visible text. */
  readonly text: number
  /** The same without navigation, headers, footers and non-content parts. */
  readonly mainText: number
  /** Of these, characters inside links. */
  readonly linkText: number
  /** Elements written. */
  readonly elements: number
  readonly hasPassword: boolean
  /** Hidden parts were removed. */
  readonly hidden: boolean
  /** Removed hidden parts with text, and their characters outside links. */
  readonly hiddenText: { readonly parts: number; readonly characters: number }
  readonly deepest: number
}

export interface ScanOptions {
  readonly url: string
  /** Keep hidden parts that are text, or all hidden parts: some pages show their text only after scripts ran. */
  readonly keepHidden?: 'text' | 'all'
}

/**
 * Reads markup once from start to end, in linear time, and rewrites it: this makes the costly later steps safe.
 * Throws OverLimit.
 */
export function scan(html: string, options: ScanOptions): Scanned {
  if (html.length > LIMITS.bytes) throw new OverLimit(`the page is larger than ${LIMITS.bytes} characters`)
  const scanner = new Scanner(options)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => scanner.open(name, attributes),
      onclosetag: (name) => scanner.close(name),
      ontext: (text) => scanner.text(text),
      oncomment: (text) => scanner.comment(text),
    },
    // In XHTML a CDATA section is text, in HTML a comment.
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeCDATA: /^\s*<\?xml\s/.test(html.slice(0, 200)) },
  )
  parser.write(html)
  parser.end()
  return scanner.result()
}

/** State of one open element. */
interface Open {
  written: string
  readonly frame: Frame | null
  readonly part: HiddenPart | null
  /** Name of a content that belongs elsewhere in the page, and the index of its first piece. */
  readonly stream: { readonly id: string; readonly from: number } | null
  /** It is a line of code. */
  readonly line: boolean
}

/** An open hidden element, with the output before it. */
interface HiddenPart {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly hiding: Hiding
  readonly label: string | null
  readonly frame: Frame
  readonly at: number
  readonly elements: number
  readonly image: string
  /** Number of hidden parts removed before. */
  readonly left: number
}

class Scanner {
  readonly #options: ScanOptions
  readonly #out: string[] = []
  readonly #stack: Open[] = []
  readonly #links = new Set<string>()
  readonly head: Head
  #nodes = 0
  /** Depth of the open removed element; 0 when there is none. */
  #skip = 0
  #skipped = ''
  /** The whole page, then the open elements that appear to be non-content. */
  readonly #frames: Frame[] = [{ look: null, inner: [], text: 0, links: 0 }]
  /** Numbers of open content elements and of quoting elements. */
  #content = 0
  #quoted = 0
  #pre = 0
  #heading = 0
  #elements = 0
  #anchors = 0
  #password = false
  #hidden = false
  readonly #controls = new Controls()
  readonly #streams = new Streams()
  /** Open hidden parts. */
  #parts = 0
  /** Characters outside links of each removed hidden part with text. */
  readonly #left: number[] = []
  #deepest = 0
  #lastImage = ''
  /** Characters of text so far. */
  #seen = 0
  /** A code line element has ended, and no line break follows it yet. */
  #lineEnded = false
  /** The current formula, and the depth of its element. */
  #formula: { readonly reader: FormulaReader; readonly depth: number } | null = null
  /** The last written formula: its position in the output, and the amount of text before what follows it. */
  #lastFormula = { tex: '', at: -1, text: -1 }

  constructor(options: ScanOptions) {
    this.#options = options
    this.head = new Head(options.url)
  }

  open(name: string, attributes: Record<string, string>): void {
    this.#count()
    const depth = this.#stack.length + 1
    this.#deepest = Math.max(this.#deepest, depth)
    if (depth > LIMITS.refuseDepth) throw new OverLimit(`the page has more than ${LIMITS.refuseDepth} elements inside each other`)
    if (this.#skipped === 'head' && !HEAD_ONLY.has(name)) {
      // An unclosed head ends at an element that it cannot contain.
      this.#skip = 0
      this.#skipped = ''
    }
    if (this.#formula?.reader.breaks(name) === true) this.#endFormula()
    if (this.#opensFormula(name, attributes, depth)) {
      this.#stack.push({ written: '', frame: null, part: null, stream: null, line: false })
      return
    }
    this.head.open(name, attributes, (this.#skip > 0 && this.#skipped !== 'head') || this.#isHidden)
    this.#collect(name, attributes)
    const outside = this.#skip === 0
    const id = attributes['id'] ?? ''
    const from = this.#out.length
    const drawn =
      outside &&
      isDrawn(
        name,
        labelOf((key) => attributes[key]),
        this.#afterFormula,
      )
    const stream = outside && !drawn ? this.#streams.open(name, id, attributes['hidden'] !== undefined, from) : null
    const drop = drawn || (outside && (stream === 'place' || (stream === null && this.#drops(name, attributes))))
    if (drop) {
      this.#skip = depth
      this.#skipped = drawn ? FORMULA : name
    }
    const part = outside && !drop && stream === null ? this.#hiddenPart(name, attributes) : null
    this.#controls.open(name, attributes, this.#skip > 0)
    const frame = outside ? this.#frame(name, attributes) : null
    if (outside && TABLE_PARTS.has(name)) this.#closeTablePart()
    const written = outside && !drop && depth <= LIMITS.depth ? this.#write(name, attributes) : ''
    if (this.#skipped === 'noscript' && name === 'img') this.#image(attributes)
    const line = this.#pre > 0 && written !== 'pre' && isLine(name, attributes)
    this.#stack.push({ written, frame, part, stream: stream === 'content' ? { id, from } : null, line })
  }

  comment(text: string): void {
    if (this.#skip === 0) this.#streams.comment(text, this.#out.length)
  }

  text(text: string): void {
    this.#count()
    if (this.#formula !== null) {
      this.#formula.reader.text(text)
      return
    }
    if (this.#skipped !== FORMULA) this.head.text(text)
    if (this.#skip > 0) {
      this.#controls.text(text)
      if (this.#skipped === 'script') this.#streams.script(text)
      return
    }
    if (this.#lineEnded) {
      this.#lineEnded = false
      if (!/^\r?\n/.test(text)) this.#out.push('\n')
    }
    this.#out.push(escapeText(this.#pre > 0 ? text : joinIdeographs(text)))
    const size = text.trim().length
    if (size > 0) this.#controls.moveOn()
    this.#seen += size
    const frame = this.#frames.at(-1)
    if (frame === undefined) return
    frame.text += size
    if (this.#anchors > 0) frame.links += size
  }

  close(name: string): void {
    const top = this.#stack.pop()
    if (this.#formula !== null) {
      if (this.#formula.depth === this.#stack.length + 1) this.#endFormula()
      else this.#formula.reader.close()
      return
    }
    this.head.close(name)
    if (top === undefined) return
    if (this.#skip === this.#stack.length + 1) {
      this.#skip = 0
      this.#skipped = ''
    }
    this.#controls.close(name)
    if (top.frame !== null) this.#closeFrame(top.frame)
    this.#closeTag(top)
    if (top.stream !== null) this.#streams.content(top.stream.id, { from: top.stream.from, to: this.#out.length })
    if (top.part !== null) this.#closePart(top.part)
  }

  #closeTag(top: Open): void {
    if (top.written === '') return
    if (CONTENT.has(top.written)) this.#content -= 1
    if (QUOTED.has(top.written)) this.#quoted -= 1
    if (top.written === 'pre') {
      this.#pre -= 1
      this.#lineEnded = false
    }
    if (top.written === 'a') this.#anchors -= 1
    if (HEADING.test(top.written)) this.#heading -= 1
    if (top.line) this.#endLine(top.written)
    if (!VOID.has(top.written)) this.#out.push(`</${top.written}>`)
  }

  /** Line breaks of code with one element per line: an empty element is a blank line; adjacent ends add only one. */
  #endLine(name: string): void {
    const last = this.#out.at(-1) ?? ''
    if (last.startsWith(`<${name}`) && this.#lineEnded) this.#out.push('\n')
    else this.#lineEnded = last !== '\n'
  }

  result(): Scanned {
    const [page] = this.#frames
    const main = page === undefined ? { text: 0, links: 0 } : mainOf(page)
    return {
      html: this.#streams.joined(this.#out),
      head: this.head,
      links: [...this.#links],
      text: page?.text ?? 0,
      mainText: main.text,
      linkText: main.links,
      elements: this.#elements,
      hasPassword: this.#password,
      hidden: this.#hidden,
      hiddenText: { parts: this.#left.length, characters: this.#left.reduce((sum, size) => sum + size, 0) },
      deepest: this.#deepest,
    }
  }

  #frame(name: string, attributes: Record<string, string>): Frame | null {
    const look = lookOf(name, (key) => attributes[key], { content: this.#content > 0, quoted: this.#quoted > 0 })
    if (look === null) return null
    const frame: Frame = { look, inner: [], text: 0, links: 0 }
    this.#frames.push(frame)
    return frame
  }

  #closeFrame(frame: Frame | undefined): void {
    if (frame === undefined || this.#frames.at(-1) !== frame) return
    this.#frames.pop()
    const outer = this.#frames.at(-1)
    if (outer === undefined) return
    outer.inner.push(frame)
    outer.text += frame.text
    outer.links += frame.links
  }

  /** Inside a hidden part: its text is not counted, unless such parts are kept. */
  get #isHidden(): boolean {
    return this.#parts > 0 && this.#options.keepHidden === undefined
  }

  /** Starts a hidden part; null for a visible element. Whether it is kept is decided at its end. */
  #hiddenPart(name: string, attributes: Record<string, string>): HiddenPart | null {
    if (name === 'html' || name === 'body' || (name === 'template' && attributes['shadowrootmode'] !== undefined)) return null
    const hiding = hidingOf(name, attributes, this.#controls)
    if (hiding === null || isKatexDrawing(labelOf((key) => attributes[key])) || (this.#options.keepHidden === 'all' && name !== 'template'))
      return null
    const frame: Frame = { look: null, inner: [], text: 0, links: 0 }
    const label = this.#controls.labelFor(attributes)
    const [at, elements, image, left] = [this.#out.length, this.#elements, this.#lastImage, this.#left.length]
    // Position of the label.
    this.#out.push('')
    this.#frames.push(frame)
    this.#parts += 1
    return { name, attributes, hiding, label, frame, at, elements, image, left }
  }

  #closePart({ name, attributes, hiding, label, frame, at, elements, image, left }: HiddenPart): void {
    this.#parts -= 1
    while (this.#frames.length > 1 && this.#frames.pop() !== frame);
    const text = isText(name, attributes, frame) && !(name === 'template' && isUnfilled(this.#out.slice(at, at + SAMPLE)))
    if ((hiding === 'panel' && isText(name, attributes, frame, 1)) || (text && this.#options.keepHidden !== undefined)) {
      if (label !== null) this.#out[at] = `<p><strong>${escapeText(label)}</strong></p>`
      const outer = this.#frames.at(-1)
      if (outer === undefined) return
      outer.text += frame.text
      outer.links += frame.links
      for (const inner of frame.inner) outer.inner.push(inner)
      return
    }
    this.#hidden = true
    this.#out.length = at
    this.#elements = elements
    this.#lastImage = image
    // A hidden formula may be followed by a visible picture of it.
    if (this.#lastFormula.at >= at) this.#lastFormula = { tex: '', at: -1, text: -1 }
    const within = this.#left.splice(left).reduce((sum, size) => sum + size, 0)
    if (text && !this.#frames.some(({ look }) => look === 'frame')) this.#left.push(frame.text - frame.links + within)
  }

  #count(): void {
    this.#nodes += 1
    if (this.#nodes > LIMITS.nodes) throw new OverLimit(`the page has more than ${LIMITS.nodes} elements and pieces of text`)
  }

  /** A part of a table ends the previous part, also when end tags are omitted, which the parser does not handle. */
  #closeTablePart(): void {
    for (let at = this.#stack.length - 1; at >= 0; at -= 1) {
      const open = this.#stack[at]
      if (open === undefined || !TABLE_INNER.has(open.written)) return
      this.#out.push(`</${open.written}>`)
      open.written = ''
    }
  }

  #drops(name: string, attributes: Record<string, string>): boolean {
    if (name === 'template' && attributes['shadowrootmode'] !== undefined) return false
    if (name === 'input' && this.#checkbox(attributes)) return true
    if (name === 'button' && this.#heading > 0 && isControl(attributes)) return false
    if ((DROPPED.has(name) && name !== 'dialog' && name !== 'template') || name === 'title') return true
    if (name === 'html' || name === 'body') return false
    const label = labelOf((key) => attributes[key])
    if (this.#heading > 0 && (name === 'a' || name === 'span') && ANCHOR.test(label)) return true
    if ((name === 'td' || name === 'span' || name === 'div' || name === 'pre') && GUTTER.test(label)) return true
    if (isKatexDrawing(label)) return false
    if (this.#options.keepHidden === 'all' || !CONSENT.test(label)) return false
    this.#hidden = true
    return true
  }

  /** Whether the element is a formula or inside one; the rest of a formula's visual output is removed. */
  #opensFormula(name: string, attributes: Record<string, string>, depth: number): boolean {
    if (this.#formula !== null) {
      this.#formula.reader.open(name, attributes)
      return true
    }
    const inDrawing = this.#skipped === FORMULA
    if (this.#skip > 0 && !inDrawing) return false
    const picture = name === 'img' && !inDrawing ? pictured(attributes) : null
    if (picture !== null) {
      // MediaWiki adds a picture to the formula itself.
      if (!(this.#afterFormula && this.#lastFormula.tex === picture.tex)) this.#writeFormula(picture)
      return true
    }
    const reader = formulaAt(name, attributes)
    const isShown =
      this.#options.keepHidden === 'all' || attributes['aria-hidden'] === 'true' || hidingOf(name, attributes, this.#controls) === null
    if (reader === null || !isShown) return false
    this.#formula = { reader, depth }
    // MathJax 2 keeps the script next to its output.
    if (name === 'script' && this.#afterFormula) this.#eraseFormula()
    return true
  }

  /** True when no text was written since the last formula. */
  get #afterFormula(): boolean {
    return this.#lastFormula.at >= 0 && this.#lastFormula.text === this.#seen
  }

  #eraseFormula(): void {
    this.#out[this.#lastFormula.at] = ''
    this.#lastFormula = { tex: '', at: -1, text: -1 }
  }

  #endFormula(): void {
    const formula = this.#formula?.reader.result() ?? null
    this.#formula = null
    if (formula !== null) this.#writeFormula(formula)
  }

  #writeFormula(formula: Formula): void {
    const text = delimited(formula)
    this.head.text(text)
    const written = escapeText(text)
    this.#out.push(this.#pre > 0 ? written : `<span ${FORMULA}="">${written}</span>`)
    this.#elements += 1
    this.#seen += text.length
    const frame = this.#frames.at(-1)
    if (frame !== undefined) frame.text += text.length
    this.#lastFormula = { tex: formula.tex, at: this.#out.length - 1, text: this.#seen }
  }

  #checkbox(attributes: Record<string, string>): boolean {
    if (attributes['type'] === 'checkbox' && this.#skip === 0) this.#out.push(attributes['checked'] === undefined ? '\u2610 ' : '\u2611 ')
    return true
  }

  /** Collects data that counts even inside removed parts: links and the signs of a login form. */
  #collect(name: string, attributes: Record<string, string>): void {
    if (name === 'input' && attributes['type']?.toLowerCase() === 'password') this.#password = true
    const address = name === 'a' || name === 'area' ? attributes['href'] : name === 'frame' ? attributes['src'] : undefined
    if (address === undefined || address.startsWith('#') || this.#links.size >= LIMITS.links) return
    const url = absolute(address, this.head.base, WEB)
    if (url !== null) this.#links.add(url)
  }

  /** Writes the opening tag with the attributes that later steps use, and returns the name for closing it. */
  #write(name: string, attributes: Record<string, string>): string {
    if (name === 'img') return this.#image(attributes)
    if (name === 'br') {
      this.#out.push(this.#pre > 0 ? '\n' : '<br>')
      return 'br'
    }
    if (name === 'template' || name === 'slot' || name === 'dialog') return this.#tag('div', {})
    if (
      !/^[a-z][a-z0-9-]{0,40}$/.test(name) ||
      name === 'button' ||
      name === 'body' ||
      name === 'html' ||
      name === 'link' ||
      name === 'meta' ||
      name === 'base'
    )
      return ''
    const kept: Record<string, string> = {}
    for (const attribute of ['class', 'id', 'role', 'dir']) keep(kept, attributes, attribute, 200)
    if (name === 'a') {
      this.#anchors += 1
      const address = attributes['href'] ?? ''
      const href = absolute(address, this.head.base, LINKS)
      if (address.startsWith('#')) kept[TO] = address.slice(1, 201)
      else if (href !== null) kept['href'] = href
      keep(kept, attributes, 'title', 300)
    } else if (name === 'td' || name === 'th') {
      for (const attribute of ['colspan', 'rowspan'])
        if (/^\d{1,3}$/.test(attributes[attribute] ?? '')) keep(kept, attributes, attribute, 3)
      const align =
        /^(?:left|right|center)$/i.exec(attributes['align'] ?? '')?.[0] ??
        /text-align:\s*(left|right|center)/i.exec((attributes['style'] ?? '').slice(0, 300))?.[1]
      if (align !== undefined) kept['data-align'] = align.toLowerCase()
    } else if (name === 'ol') {
      if (NUMBER.test(attributes['start'] ?? '')) keep(kept, attributes, 'start', 10)
      if (attributes['reversed'] !== undefined) kept['reversed'] = ''
    } else if (name === 'li' && NUMBER.test(attributes['value'] ?? '')) keep(kept, attributes, 'value', 10)
    else if (name === 'pre' || name === 'code') {
      const language = fenceLanguage(attributes)
      if (language !== '') kept['data-fence'] = language
      if (name === 'pre') this.#pre += 1
    } else if (name === 'div' || name === 'figure') {
      const language = fenceLanguage(attributes)
      if (language !== '') kept['data-fence'] = language
    }
    if (HEADING.test(name)) this.#heading += 1
    if (CONTENT.has(name)) this.#content += 1
    if (QUOTED.has(name)) this.#quoted += 1
    return this.#tag(name, kept)
  }

  #tag(name: string, attributes: Record<string, string>): string {
    this.#elements += 1
    let tag = `<${name}`
    for (const [key, value] of Object.entries(attributes)) tag += ` ${key}="${escapeAttribute(value)}"`
    this.#out.push(`${tag}>`)
    return name
  }

  #image(attributes: Record<string, string>): string {
    const src = imageSource(attributes, this.head.base)
    if (src === null || src === this.#lastImage || this.#pre > 0) return ''
    this.#lastImage = src
    const kept: Record<string, string> = { src }
    keep(kept, attributes, 'alt', 500)
    return this.#tag('img', kept)
  }
}

/** Pieces of a template that are searched for placeholders. */
const SAMPLE = 200
const TABLE_PARTS = new Set(['thead', 'tbody', 'tfoot'])
const TABLE_INNER = new Set(['th', 'td', 'tr', 'thead', 'tbody', 'tfoot'])
const HEAD_ONLY = new Set(['title', 'meta', 'link', 'script', 'style', 'base', 'noscript', 'template', 'object'])
const HEADING = /^h[1-6]$/
const NUMBER = /^-?\d{1,9}$/
