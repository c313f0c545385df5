import { XMLParser } from 'fast-xml-parser'
import { Fault } from '../../../core/sdk/fault.js'
import { decode } from '../../_shared/charset/charset.js'
import { isRecord } from '../../../core/sdk/json.js'

/** An element: attributes start with `@`, text is `#text` and `#cdata`, repeated elements are a list. */
export type Element = Readonly<Record<string, unknown>>

const DEEPEST = 60
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const LAST_CODE_POINT = 0x10ffff

/** Parses XML, comparing names without prefixes. A document type, which could define entities, is refused. Throws Fault `invalid`. */
export function readXml(bytes: Uint8Array): Element {
  // Mail programs and templates may leave blank lines before the declaration.
  const text = decode(bytes, '').trimStart()
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new Fault('invalid', 'The XML has a document type, which is not supported: invoices have none.')
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    cdataPropName: '#cdata',
    maxNestedTags: DEEPEST,
  })
  try {
    const parsed: unknown = parser.parse(text, true)
    if (isRecord(parsed)) return parsed
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Fault('invalid', brokenAt(error.message.slice(0, 200)), { cause: error })
  }
  throw new Fault('invalid', 'The XML is empty.')
}

/** The parser's message ends with the line and the character. */
function brokenAt(message: string): string {
  const [, reason = message, line, character] = /^(.*?)\.?:(\d+):(\d+)$/s.exec(message) ?? []
  return line === undefined ? `The XML is broken: ${reason}` : `The XML is broken at line ${line}, character ${character ?? ''}: ${reason}.`
}

/** All elements at a path of names; `A|B` matches either. */
export function all(from: Element | undefined, path: string): Element[] {
  return path
    .split('/')
    .reduce<Element[]>(
      (elements, step) => elements.flatMap((element) => step.split('|').flatMap((name) => children(element, name))),
      from === undefined ? [] : [from],
    )
}

export const first = (from: Element | undefined, path: string): Element | undefined => all(from, path)[0]

/** Text of the first non-empty element at a path, on one line; null when there is none. */
export function text(from: Element | undefined, path: string): string | null {
  for (const element of all(from, path)) {
    const found = ownText(element)
    if (found !== null) return found
  }
  return null
}

export function ownText(element: Element): string | null {
  const written = `${partOf(element['#text'], decoded)}${partOf(element['#cdata'], (raw) => raw)}`.replace(/\s+/g, ' ').trim()
  return written === '' ? null : written
}

export function attribute(element: Element | undefined, name: string): string | null {
  const value = element?.[`@${name}`]
  return typeof value === 'string' && value.trim() !== '' ? decoded(value.trim()) : null
}

function children(element: Element, name: string): Element[] {
  if (!Object.hasOwn(element, name)) return []
  const found = element[name]
  return (Array.isArray(found) ? found : [found]).flatMap((each: unknown) =>
    isRecord(each) ? [each] : typeof each === 'string' ? [{ '#text': each }] : [],
  )
}

function partOf(value: unknown, read: (raw: string) => string): string {
  const parts: unknown[] = Array.isArray(value) ? value : [value]
  return parts.map((part) => (typeof part === 'string' ? read(part) : '')).join(' ')
}

/** Decodes the five XML entities and numeric ones; others, which only a document type could define, are unchanged. */
function decoded(raw: string): string {
  return raw.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi, (whole, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole
  })
}
