import { Parser } from 'htmlparser2'
import { Fault } from '../../../core/sdk/fault.js'

type Attributes = Readonly<Record<string, string>>

/** What a reader of XML is told; names without their prefixes. Attributes keep theirs. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Reads XML in one pass. Only the five entities of XML itself and those by number are known; a document type, which could define others, is refused.
 * Throws Fault `invalid`.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const text = xmlText(bytes)
  assertPlain(text)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(localName(name), attributes),
      ontext: (piece) => handler.text?.(piece),
      onclosetag: (name) => handler.close?.(localName(name)),
    },
    { xmlMode: true },
  )
  parser.end(text)
}

/** Throws Fault `invalid` for XML with a document type. */
export function assertPlainXml(bytes: Uint8Array): void {
  assertPlain(xmlText(bytes))
}

/** One element of a flat list: its attributes, and the text directly in it. */
export interface Element {
  readonly name: string
  readonly attributes: Attributes
  text: string
}

/** All elements of a small document in the order in which they begin. Throws as `readXml`. */
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

/** The text of the first element of that name that has any. */
export function textOf(elements: readonly Element[], name: string): string | null {
  return elements.find((element) => element.name === name && element.text.trim() !== '')?.text ?? null
}

/** Text for markup. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

function assertPlain(text: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/.test(text)) throw new Fault('invalid', 'The file is not read: it declares entities of its own.')
}

function xmlText(bytes: Uint8Array): string {
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
