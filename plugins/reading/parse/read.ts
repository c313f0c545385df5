import { Fault } from '../../../core/sdk/fault.js'
import { parseUrl } from '../../../core/sdk/url.js'
import type { DocumentRead, Format, Metadata } from '../contract.js'

/** Arguments of a parser beside the bytes. */
export interface ReadArgs {
  /** The required format, null to detect it. */
  readonly format: Format | null
  /** Media type with its parameters, lower case; empty when unknown. */
  readonly contentType: string
  /** Extension of the file's name without the dot, lower case; empty when unknown. */
  readonly ending: string
  readonly html: boolean
  readonly tables: boolean
  readonly positions: boolean
  readonly attachments: boolean
  readonly firstPage: number
  readonly maxPages: number
}

/** A file in a document, its bytes as Base64; null for one that is too large. */
export interface Attached {
  readonly name: string
  readonly content_type: string | null
  readonly size: number
  readonly base64: string | null
}

/** The answer of a parser. */
export type Read = Omit<DocumentRead, 'attachments'> & { readonly attachments: readonly Attached[] }

export const MAX_TEXT = 5_000_000
const MAX_LINKS = 5_000
const MAX_FIELD = 1_000
const MAX_ATTACHED = 100
/** Total bytes of attachments; they are sent as Base64 in an answer of 20 MiB. */
const MAX_ATTACHED_BYTES = 8 * 1024 * 1024

export const NO_METADATA: Metadata = {
  author: null,
  subject: null,
  keywords: null,
  description: null,
  created: null,
  modified: null,
  producer: null,
}

/** A complete answer with absent fields empty, within the limits of texts and links. */
export function answer(
  format: Format,
  found: Partial<Omit<Read, 'links'>> & Pick<Read, 'text'> & { readonly links?: readonly string[] },
): Read {
  const cut = found.text.length > MAX_TEXT
  return {
    format,
    language: null,
    pages: null,
    pages_without_text: [],
    needs_ocr: false,
    unread_pages: [],
    tables: [],
    positions: null,
    attachments: [],
    ...found,
    title: field(found.title),
    metadata: found.metadata ?? NO_METADATA,
    text: found.text.slice(0, MAX_TEXT),
    html: found.html == null || found.html.length > MAX_TEXT ? null : found.html,
    links: webLinks(found.links ?? []),
    truncated: cut || found.truncated === true,
    notes: [...(found.notes ?? []), ...(cut ? [`The text was cut after ${MAX_TEXT} characters.`] : [])],
  }
}

/** A short metadata text; null when empty. */
export function field(text: unknown): string | null {
  if (typeof text !== 'string' && typeof text !== 'number') return null
  const trimmed = String(text).replace(/\s+/g, ' ').trim()
  return trimmed === '' ? null : trimmed.slice(0, MAX_FIELD)
}

/** A date in any usual form as ISO 8601 in UTC; null for an invalid one. */
export function isoDate(text: unknown): string | null {
  const date = text instanceof Date ? text : typeof text === 'string' && text.length <= 100 ? new Date(text) : null
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Attachments within the limits of number and size, with a note when some were left out. */
export function attached(
  files: readonly { name: string; content_type: string | null; bytes: Uint8Array }[],
): Pick<Read, 'attachments' | 'notes'> {
  let room = MAX_ATTACHED_BYTES
  const attachments = files.slice(0, MAX_ATTACHED).map(({ name, content_type, bytes }): Attached => {
    const fits = bytes.length <= room
    if (fits) room -= bytes.length
    return {
      name: field(name) ?? 'attachment',
      content_type,
      size: bytes.length,
      base64: fits ? Buffer.from(bytes).toString('base64') : null,
    }
  })
  const left = attachments.filter(({ base64 }) => base64 === null).length
  return {
    attachments,
    notes: [
      ...(files.length > MAX_ATTACHED ? [`Of ${files.length} attachments ${MAX_ATTACHED} are listed.`] : []),
      ...(left > 0 ? [`${left} attachments are larger than ${MAX_ATTACHED_BYTES} bytes together and were not taken out.`] : []),
    ],
  }
}

/** Runs a library on an untrusted file: its errors mean that the file is damaged. A Fault and a stack overflow pass through. */
export async function reading<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (Fault.is(error) || (error instanceof RangeError && error.message.startsWith('Maximum call stack'))) throw error
    const internal = error instanceof Error ? error.message : String(error)
    throw new Fault('invalid', `The file is broken, or no ${what}.`, { internal, cause: error })
  }
}

/** The Fault of a file that needs a password. */
export function encrypted(): Fault {
  return new Fault('invalid', 'The file is encrypted: remove its password first.')
}

/** The Fault of a file whose type differs from the requested one. */
export function other(expected: Format, found: string): Fault {
  return new Fault('invalid', `The file is no ${expected} but ${found}.`)
}

function webLinks(links: readonly string[]): string[] {
  const found = new Set<string>()
  for (const link of links) {
    if (found.size >= MAX_LINKS) break
    const url = link.length <= 8192 && /^https?:\/\//i.test(link) ? parseUrl(link) : null
    if (url !== null) found.add(url.href)
  }
  return [...found]
}
