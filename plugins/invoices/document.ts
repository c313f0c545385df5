import { atField } from '../_shared/at-field.js'
import { Fault, type HandlerContext } from '../../core/sdk/index.js'
import { pictureMake } from '../picture/contract.js'
import { documentRead } from '../reading/contract.js'
import type { InvoiceInput } from './contract.js'

const MOST_BYTES = 50_000_000
const MOST_PAGES = 200
/** Pages whose words are read, and XML attachments that are checked. */
const READ_PAGES = 30
const MOST_XML = 10
const MOST_XML_BYTES = 10_000_000
const TAKEN = 'Invoices are read from PDF, pictures (JPEG, PNG, WebP, GIF, TIFF) and XML (UBL, CII, Factur-X, ZUGFeRD, XRechnung)'
const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff', 'image/heic'] as const
/** A file name with which any markup is treated as XML. */
const XML_NAME = 'invoice.xml'

const ORIENTATION = new URL('./work/orientation.js', import.meta.url)
const HEAD_BYTES = 65_536
const PDF_WITHIN = 1_024
/** A page without a declaration, recognised by its first element. */
const HTML = /^\s*<(?:html|head|title|meta|body|main|div|p)[\s>]/i

type Services = Pick<HandlerContext, 'scratch' | 'call' | 'has' | 'work'>

/** Fetches the document and detects its type. Throws an `invalid` Fault for one that no vendor could read. */
export async function documentAt(url: string, context: Services): Promise<InvoiceInput> {
  const fetching = context.scratch.fetch(url, { maxBytes: MOST_BYTES })
  const file = await atField(fetching, { loc: ['document_url'], what: 'the document at document_url' })
  if (file.size === 0) throw refused('The file is empty.')
  const found = await kindOf(file, context)
  if (found.contentType === 'application/pdf') return await pdf(file, context)
  if (found.contentType === 'application/xml') return { ...basic(file, 'xml', 'application/xml', 'xml'), xml: [file] }
  const type = PICTURES.find((each) => each === (found.contentType === 'image/heif' ? 'image/heic' : found.contentType))
  if (type !== undefined) return await picture(file, type, context)
  if (/^(?:text\/html|application\/xhtml)/.test(found.contentType))
    throw refused(`The address is a web page, not a document. ${TAKEN}: name the address of the file itself.`)
  throw refused(`The file is ${found.contentType}. ${TAKEN}.`)
}

async function kindOf(file: InvoiceInput['file'], context: Services): Promise<{ readonly contentType: string }> {
  const { scratch } = context
  const plain = await scratch.kind(file)
  if (plain !== null && plain.contentType !== 'text/plain') return plain
  // PDF readers allow some bytes before the header (ISO 32000-1, annex H.3.4.1).
  const head = Buffer.from(await scratch.head(file, PDF_WITHIN))
  if (head.includes('%PDF-')) return { contentType: 'application/pdf' }
  if (HTML.test(head.toString('latin1'))) return { contentType: 'text/html' }
  // XML without a declaration counts as text unless the file name says otherwise.
  const named = await scratch.kind(file, XML_NAME)
  return named ?? { contentType: 'of no known kind' }
}

/**
 * The common data of a PDF is read once for all vendors: its words, and its attachments. Without a PDF reader here,
 * vendors get it unchanged.
 */
async function pdf(file: InvoiceInput['file'], context: Services): Promise<InvoiceInput> {
  const input = basic(file, 'pdf', 'application/pdf', 'pdf')
  if (!context.has(documentRead)) return input
  const read = await context.call(documentRead, { file, format: 'pdf', want: ['positions', 'attachments'], max_pages: READ_PAGES })
  if (read.pages !== null && read.pages > MOST_PAGES)
    throw refused(`The PDF has ${String(read.pages)} pages, more than the ${String(MOST_PAGES)} that an invoice may have.`)
  const xml = read.attachments
    .filter(({ name, content_type: type }) => /\.xml$/i.test(name) || /xml/i.test(type ?? ''))
    .flatMap((attached) => attached.file ?? [])
    .filter(({ size }) => size <= MOST_XML_BYTES)
  return { ...input, xml: xml.slice(0, MOST_XML), pages: read.pages, positions: read.needs_ocr ? null : read.positions }
}

/**
 * Photos may be rotated: they are turned upright once, for all vendors. A photo that cannot be turned here is sent to
 * vendors that accept it unchanged.
 */
async function picture(file: InvoiceInput['file'], type: (typeof PICTURES)[number], context: Services): Promise<InvoiceInput> {
  const extension = type.slice('image/'.length)
  const input = basic(file, 'image', type, extension === 'jpeg' ? 'jpg' : extension)
  if (type !== 'image/jpeg' || !context.has(pictureMake)) return input
  if ((await context.work<number>(ORIENTATION, new Uint8Array(await context.scratch.head(file, HEAD_BYTES)))) === 1) return input
  const made = await context.call(pictureMake, { file, format: 'jpeg', quality: 92 })
  return basic(made.file, 'image', 'image/jpeg', 'jpg')
}

function basic(
  file: InvoiceInput['file'],
  kind: InvoiceInput['kind'],
  type: InvoiceInput['content_type'],
  extension: string,
): InvoiceInput {
  return { file, kind, content_type: type, extension, xml: [], pages: null, positions: null }
}

const refused = (message: string): Fault => new Fault('invalid', message, { loc: ['document_url'] })
