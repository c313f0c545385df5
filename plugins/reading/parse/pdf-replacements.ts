import type { PdfObjects } from './pdf-objects.js'
import { textString } from './pdf-strings.js'
import { Dictionary, Name, Operator, PdfLimit, reasonOf, Reference, Stream, Syntax, type PdfValue } from './pdf-syntax.js'

/** A text that replaces everything drawn within its marks (`ActualText`; ISO 32000-1, 14.9.4). */
export interface Replacement {
  readonly text: string
}

/** The start of marked content on a page, in drawing order. */
export interface Mark {
  readonly tag: string | null
  /** The replacement of the content; null without one. */
  readonly replacement: Replacement | null
}

/** The content of a page, or of a form drawn by it. */
interface Drawn {
  /** Number of the page or form. */
  readonly owner: number
  readonly content: Buffer
  readonly resources: Dictionary
  /** Numbers of the enclosing forms, and its own. */
  readonly path: readonly number[]
}

const KEY = 'ActualText'
const MAX_ELEMENTS = 500_000
const MAX_MARKS = 200_000
/** Bytes of the text of one replacement, and of the content of a page or form. */
const MAX_TEXT = 1024 * 1024
const MAX_CONTENT = 64 * 1024 * 1024
/** Maximum nesting of forms. */
const MAX_DEPTH = 10
/** Milliseconds for all pages. */
const ENOUGH_MS = 4_000

/** Replacement texts of a document: of structure elements and of marked content. Unreadable ones are in the notes. */
export class Replacements {
  readonly #objects: PdfObjects
  /** Those of structure elements, by the number of the page or form and of its marked content. */
  readonly #structure = new Map<string, Replacement>()
  /** Numbers of pages and forms with replacements. */
  readonly #owners = new Set<number>()
  /** Why those of structure elements were not read. */
  #withoutStructure: string | null = null
  #unread: { readonly page: number; readonly reason: string; count: number } | null = null
  #left: number

  constructor(objects: PdfObjects, ms = ENOUGH_MS) {
    this.#objects = objects
    this.#left = ms
    this.#withoutStructure = this.#within(
      () => {
        this.#elements()
        return null
      },
      (reason) => reason,
    )
  }

  /** Notes on what was not read. */
  get notes(): readonly string[] {
    const unread = this.#unread
    const pages =
      unread === null ? '' : unread.count === 1 ? `page ${unread.page}` : `${unread.count} pages, the first of them page ${unread.page},`
    return [
      ...(this.#withoutStructure === null ? [] : [`Replacement texts of this PDF were not all read: ${this.#withoutStructure}.`]),
      ...(unread === null ? [] : [`Replacement texts of ${pages} were not read: ${unread.reason}.`]),
    ]
  }

  /** The marks of a page with their replacements; null for a page without any, or with unreadable ones. */
  of(page: { readonly number: number; readonly object: number }): readonly Mark[] | null {
    return this.#within(
      () => this.#marksOf(page.object),
      (reason) => {
        this.#unread ??= { page: page.number, reason, count: 0 }
        this.#unread.count += 1
        return null
      },
    )
  }

  /** Runs work on objects within the remaining time for all pages. */
  #within<T>(work: () => T, otherwise: (reason: string) => T): T {
    const started = performance.now()
    try {
      this.#objects.limit(this.#left)
      return work()
    } catch (error) {
      return otherwise(reasonOf(error))
    } finally {
      this.#left = Math.max(0, this.#left - (performance.now() - started))
    }
  }

  #marksOf(page: number): readonly Mark[] | null {
    const dictionary = this.#objects.dictionary(new Reference(page))
    const resources = this.#inherited(dictionary, 'Resources')
    const content = this.#content(dictionary.get('Contents'))
    if (!this.#replaces({ owner: page, content, resources, path: [] }, new Set())) return null
    const marks: Mark[] = []
    this.#marks({ owner: page, content, resources, path: [] }, marks)
    return marks
  }

  #elements(): void {
    const root = this.#objects.dictionary(this.#objects.catalogue.get('StructTreeRoot'))
    const seen = new Set<number>()
    type Left = { readonly kid: PdfValue; readonly page: number | null; readonly replacement: Replacement | null }
    const left: Left[] = [{ kid: root.get('K') ?? null, page: null, replacement: null }]
    for (let count = 0; left.length > 0; count += 1) {
      if (count > MAX_ELEMENTS) throw new PdfLimit('it has too many objects')
      if (count % 256 === 0) this.#objects.check()
      const next = left.pop()
      if (next === undefined) return
      const { kid, page, replacement } = next
      if (kid instanceof Reference) {
        if (seen.has(kid.number)) continue
        seen.add(kid.number)
      }
      const value = this.#objects.get(kid)
      if (typeof value === 'number') this.#put(page, value, replacement)
      else if (Array.isArray(value)) for (const each of value.toReversed()) left.push({ kid: each, page, replacement })
      else if (value instanceof Dictionary) {
        const own = numberOf(value.get('Pg')) ?? page
        const id = this.#objects.get(value.get('MCID'))
        if (typeof id === 'number') this.#put(numberOf(value.get('Stm')) ?? own, id, replacement)
        // The outermost text covers everything inside.
        else left.push({ kid: value.get('K') ?? null, page: own, replacement: replacement ?? this.#textOf(value) })
      }
    }
  }

  #put(owner: number | null, id: number, replacement: Replacement | null): void {
    if (owner === null || replacement === null) return
    this.#structure.set(`${owner} ${id}`, replacement)
    this.#owners.add(owner)
  }

  #textOf(properties: Dictionary): Replacement | null {
    const text = this.#objects.get(properties.get(KEY))
    if (!(text instanceof Buffer)) return null
    if (text.length > MAX_TEXT) throw new PdfLimit('one of them is too long')
    return { text: textString(text) }
  }

  #inherited(page: Dictionary, name: string): Dictionary {
    let node = page
    for (let depth = 0; depth < 50 && !node.has(name); depth += 1) node = this.#objects.dictionary(node.get('Parent'))
    return this.#objects.dictionary(node.get(name))
  }

  /** Streams of a page are concatenated, separated by blanks. */
  #content(contents: PdfValue | undefined): Buffer {
    let size = 0
    return Buffer.concat(
      this.#objects.list(contents).flatMap((each) => {
        const stream = this.#objects.get(each)
        const bytes = stream instanceof Stream ? this.#objects.unpacked(stream) : null
        size += bytes?.length ?? 0
        if (size > MAX_CONTENT) throw new PdfLimit('its content is too large')
        return bytes === null ? [] : [bytes, Buffer.from('\n')]
      }),
    )
  }

  /** Whether content, its properties or a form that it may draw has a replacement. */
  #replaces({ owner, content, resources, path }: Drawn, seen: Set<number>): boolean {
    if (this.#owners.has(owner) || content.includes(KEY)) return true
    for (const properties of this.#objects.dictionary(resources.get('Properties')).values())
      if (this.#objects.dictionary(properties).has(KEY)) return true
    for (const reference of this.#objects.dictionary(resources.get('XObject')).values()) {
      const number = numberOf(reference)
      if (number === null || seen.has(number) || path.length >= MAX_DEPTH) continue
      seen.add(number)
      const form = this.#form(reference)
      if (form === null) continue
      const inner = {
        owner: number,
        content: this.#content(reference),
        resources: this.#objects.dictionary(form.dictionary.get('Resources')),
      }
      if (this.#replaces({ ...inner, path: [...path, number] }, seen)) return true
    }
    return false
  }

  #form(reference: PdfValue): Stream | null {
    const stream = this.#objects.get(reference)
    const kind = stream instanceof Stream ? stream.dictionary.get('Subtype') : null
    return stream instanceof Stream && kind instanceof Name && kind.text === 'Form' ? stream : null
  }

  #marks({ owner, content, resources, path }: Drawn, found: Mark[]): void {
    const syntax = new Syntax(content)
    const [lists, forms] = [this.#objects.dictionary(resources.get('Properties')), this.#objects.dictionary(resources.get('XObject'))]
    let operands: PdfValue[] = []
    let count = 0
    for (let token = syntax.next(); token !== undefined; token = syntax.next()) {
      if (found.length > MAX_MARKS) throw new PdfLimit('it has too much marked content')
      if (++count % 256 === 0) this.#objects.check()
      if (!(token instanceof Operator)) {
        operands.push(token)
        continue
      }
      const [last, before] = [operands.at(-1), operands.at(-2)]
      if (token.text === 'BMC' && operands.length > 0) found.push({ tag: last instanceof Name ? last.text : null, replacement: null })
      if (token.text === 'BDC' && operands.length > 1) {
        const properties = this.#objects.dictionary(last instanceof Name ? lists.get(last.text) : last)
        const id = properties.get('MCID')
        const replacement = typeof id === 'number' ? this.#structure.get(`${owner} ${id}`) : undefined
        found.push({ tag: before instanceof Name ? before.text : null, replacement: replacement ?? this.#textOf(properties) })
      }
      if (token.text === 'Do') {
        const reference = last instanceof Name ? (forms.get(last.text) ?? null) : null
        const [form, number] = [this.#form(reference), numberOf(reference)]
        if (form !== null && number !== null && !path.includes(number) && path.length < MAX_DEPTH)
          this.#marks(
            {
              owner: number,
              content: this.#content(reference),
              resources: form.dictionary.has('Resources') ? this.#objects.dictionary(form.dictionary.get('Resources')) : resources,
              path: [...path, number],
            },
            found,
          )
      }
      if (token.text === 'ID') syntax.at = endOfPicture(content, syntax.at)
      operands = []
    }
  }
}

function numberOf(value: PdfValue | undefined): number | null {
  return value instanceof Reference ? value.number : null
}

/** The position after the `EI` of an inline image (ISO 32000-1, 8.9.7): one between blanks, followed only by text for some bytes. */
function endOfPicture(content: Buffer, from: number): number {
  for (let at = content.indexOf('EI', from); at !== -1; at = content.indexOf('EI', at + 2)) {
    const around = [content[at - 1] ?? 32, content[at + 2] ?? 32]
    const isText = content.subarray(at + 2, at + 12).every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127))
    if (around.every((byte) => byte === 32 || (byte >= 9 && byte <= 13)) && isText) return at + 2
  }
  return content.length
}
