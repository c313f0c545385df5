import { parseHTML } from 'linkedom'

/** The used part of the DOM; the program is compiled without the DOM's own types. */
export interface DomNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string | null
  readonly parentNode: DomElement | null
  readonly childNodes: Iterable<DomNode> & { readonly length: number }
}

export interface DomText extends DomNode {
  readonly textContent: string
  replaceWith(...nodes: (DomNode | string)[]): void
}

export interface DomElement extends DomNode {
  readonly children: Iterable<DomElement> & { readonly length: number }
  readonly innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number }
  querySelector(selector: string): DomElement | null
  replaceWith(...nodes: (DomNode | string)[]): void
  append(...nodes: (DomNode | string)[]): void
  prepend(...nodes: (DomNode | string)[]): void
  remove(): void
}

export interface DomDocument {
  readonly body: DomElement
  readonly documentElement: DomElement
  createElement(name: string): DomElement
  querySelector(selector: string): DomElement | null
}

/** A document of a body's markup. */
export function parseBody(html: string): DomDocument {
  return parseDocument(`<!doctype html><html><head></head><body>${html}</body></html>`)
}

/** A document of a whole page's markup, which must start with the document element. */
export function parseDocument(html: string): DomDocument {
  const window: unknown = parseHTML(html)
  // The window is a proxy that answers `in` with false for everything.
  const document: unknown = typeof window === 'object' && window !== null ? Reflect.get(window, 'document') : undefined
  if (!isDocument(document)) throw new Error('the markup gave no document')
  return document
}

function isDocument(value: unknown): value is DomDocument {
  return typeof value === 'object' && value !== null && 'body' in value && 'createElement' in value
}

/** True for an element of this or any other copy of the library. */
export function isElement(value: unknown): value is DomElement {
  return typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 1
}

/** True for a text of this or any other copy of the library. */
export function isText(value: unknown): value is DomText {
  return typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 3
}
