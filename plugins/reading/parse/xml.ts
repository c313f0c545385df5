import { Parser } from 'htmlparser2'
import { Fault } from '../../../core/sdk/fault.js'

const MAX_DEPTH = 1_000

type Attributes = Readonly<Record<string, string>>

/** Events of a document in order; element names without prefixes. Attributes keep theirs. Positions are characters of the text from 0. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes, start: number): void
  text?(text: string): void
  /** `inner` is the start of the closing tag, `end` the position after it. */
  close?(name: string, inner: number, end: number): void
}

/**
 * Parses XML in one pass. Only the five entities of XML and numeric ones are supported; a document type, which could
 * define others, is refused. Throws Fault `invalid`.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const text = xmlText(bytes)
  assertPlain(text)
  readXmlText(text, handler)
}

function readXmlText(text: string, handler: XmlHandler): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(localName(name), attributes, parser.startIndex),
      ontext: (piece) => handler.text?.(piece),
      onclosetag: (name) => handler.close?.(localName(name), parser.startIndex, parser.endIndex + 1),
    },
    { xmlMode: true },
  )
  parser.end(text)
}

/** An element with its content. */
export interface Node {
  readonly name: string
  readonly attributes: Attributes
  readonly children: (Node | string)[]
  /** Positions in the text of the document: the start, the start of the closing tag, the end. */
  readonly start: number
  inner: number
  end: number
}

/** The elements of a document as a tree below an unnamed root. Throws Fault `invalid` for nesting deeper than 1,000. */
export function treeOf(text: string): Node {
  assertPlain(text)
  const root: Node = { name: '', attributes: {}, children: [], start: 0, inner: text.length, end: text.length }
  const open: Node[] = [root]
  readXmlText(text, {
    open: (name, attributes, start) => {
      if (open.length > MAX_DEPTH) throw new Fault('invalid', 'The file is not read: it is nested too deeply.')
      const node: Node = { name, attributes, children: [], start, inner: start, end: start }
      open.at(-1)?.children.push(node)
      open.push(node)
    },
    text: (piece) => {
      const siblings = open.at(-1)?.children
      const last = siblings?.at(-1)
      if (typeof last === 'string') siblings?.splice(-1, 1, last + piece)
      else siblings?.push(piece)
    },
    close: (_, inner, end) => {
      const node = open.length > 1 ? open.pop() : undefined
      if (node !== undefined) [node.inner, node.end] = [inner, end]
    },
  })
  return root
}

/** The child elements. */
export function childrenOf(node: Node | undefined): Node[] {
  return node?.children.filter((child) => typeof child !== 'string') ?? []
}

/** The first child element of a name. */
export function childOf(node: Node | undefined, name: string): Node | undefined {
  return childrenOf(node).find((child) => child.name === name)
}

/** All descendants with a name in document order, parents before children. */
export function descendantsOf(node: Node | undefined, name: string): Node[] {
  return childrenOf(node).flatMap((child) => [...(child.name === name ? [child] : []), ...descendantsOf(child, name)])
}

/** All text inside. */
export function contentOf(node: Node | undefined): string {
  return node?.children.map((child) => (typeof child === 'string' ? child : contentOf(child))).join('') ?? ''
}

/** An attribute with any prefix; one without a prefix takes precedence. */
export function attributeOf(node: Node | undefined, name: string): string | undefined {
  const attributes = node?.attributes ?? {}
  return attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name && !key.startsWith('xmlns'))?.[1]
}

/** Throws Fault `invalid` for XML with a document type. */
export function assertPlainXml(bytes: Uint8Array): void {
  assertPlain(xmlText(bytes))
}

/** One element of a flat list: its attributes and its direct text. */
export interface Element {
  readonly name: string
  readonly attributes: Attributes
  text: string
}

/** All elements of a small document in document order. Throws as `readXml`. */
export function elementsOf(bytes: Uint8Array | undefined): Element[] {
  const all: Element[] = []
  const open: Element[] = []
  if (bytes === undefined) return all
  readXml(bytes, {
    open: (name, attributes) => {
      const element = { name, attributes, text: '' }
      all.push(element)
      open.push(element)
    },
    text: (text) => {
      const element = open.at(-1)
      if (element !== undefined) element.text += text
    },
    close: () => open.pop(),
  })
  return all
}

/** The text of the first non-empty element with that name. */
export function textOf(elements: readonly Element[], name: string): string | null {
  return elements.find((element) => element.name === name && element.text.trim() !== '')?.text ?? null
}

/** Escapes text for markup. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

function assertPlain(text: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/.test(text)) throw new Fault('invalid', 'The file is not read: it declares entities of its own.')
}

/** Decodes XML bytes by their byte order mark, else as UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  const [one = 0, two = 0] = bytes
  const wide =
    (one === 0xff && two === 0xfe) || (one === 0x3c && two === 0)
      ? 'utf-16le'
      : (one === 0xfe && two === 0xff) || (one === 0 && two === 0x3c)
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(wide).decode(bytes)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
