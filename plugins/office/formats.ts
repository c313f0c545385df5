import { Fault } from '../../core/sdk/index.js'

/** What LibreOffice opens a file as. */
type Kind = 'text' | 'web' | 'sheet' | 'slides'

interface SourceFormat {
  readonly kind: Kind
  /** LibreOffice's name of its import filter: without one it would open a file as whatever it looks like. */
  readonly filter: string
  readonly container: 'zip' | 'ole' | 'rtf' | null
  /** The beginning of a name that is in every archive of its kind: LibreOffice takes another archive for an empty one. */
  readonly holds?: string
}

/** Its options: comma, quotes, UTF-8, from the first line; then columns, language, whether all text is quoted, and numbers as they are shown. */
const CSV = 'Text - txt - csv (StarCalc)'

const SOURCES: Readonly<Record<string, SourceFormat>> = {
  docx: { kind: 'text', filter: 'MS Word 2007 XML', container: 'zip', holds: 'word/document' },
  doc: { kind: 'text', filter: 'MS Word 97', container: 'ole' },
  odt: { kind: 'text', filter: 'writer8', container: 'zip' },
  rtf: { kind: 'text', filter: 'Rich Text Format', container: 'rtf' },
  html: { kind: 'web', filter: 'HTML (StarWriter)', container: null },
  xlsx: { kind: 'sheet', filter: 'Calc MS Excel 2007 XML', container: 'zip', holds: 'xl/workbook' },
  xls: { kind: 'sheet', filter: 'MS Excel 97', container: 'ole' },
  ods: { kind: 'sheet', filter: 'calc8', container: 'zip' },
  csv: { kind: 'sheet', filter: `${CSV}:44,34,76,1`, container: null },
  pptx: { kind: 'slides', filter: 'Impress MS PowerPoint 2007 XML', container: 'zip', holds: 'ppt/presentation' },
  ppt: { kind: 'slides', filter: 'MS PowerPoint 97', container: 'ole' },
  odp: { kind: 'slides', filter: 'impress8', container: 'zip' },
}

const TEXT: Readonly<Record<string, string>> = {
  pdf: 'writer_pdf_Export',
  docx: 'MS Word 2007 XML',
  doc: 'MS Word 97',
  odt: 'writer8',
  rtf: 'Rich Text Format',
  html: 'HTML (StarWriter)',
  txt: 'Text (encoded):UTF8',
}
/** LibreOffice's names of its export filters (https://help.libreoffice.org/latest/en-US/text/shared/guide/convertfilters.html). */
const TARGETS: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  text: TEXT,
  web: TEXT,
  sheet: {
    pdf: 'calc_pdf_Export',
    xlsx: 'Calc MS Excel 2007 XML',
    xls: 'MS Excel 97',
    ods: 'calc8',
    csv: `${CSV}:44,34,76,1,,0,false,true`,
    html: 'HTML (StarCalc)',
  },
  slides: { pdf: 'impress_pdf_Export', pptx: 'Impress MS PowerPoint 2007 XML', ppt: 'MS PowerPoint 97', odp: 'impress8' },
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  html: 'text/html',
  txt: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  csv: 'text/csv; charset=utf-8',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  odp: 'application/vnd.oasis.opendocument.presentation',
}

const MAGIC = {
  zip: Buffer.from('PK\x03\x04', 'latin1'),
  ole: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  rtf: Buffer.from('{\\rtf', 'latin1'),
} as const

export function contentTypeOf(to: string): string {
  return CONTENT_TYPES[to] ?? 'application/octet-stream'
}

/** What can be read, and what each of it can become. */
export function pairs(): { readonly from: string; readonly to: readonly string[] }[] {
  return Object.entries(SOURCES).map(([from, { kind }]) => ({ from, to: Object.keys(TARGETS[kind]) }))
}

/** The filters for a pair. Throws Fault `invalid` for one that does not go together. */
export function filtersOf(from: string, to: string): { readonly read: string; readonly write: string } {
  const { kind, filter } = sourceOf(from)
  const write = TARGETS[kind][to]
  if (write === undefined) throw new Fault('invalid', `A ${from} file cannot be made into ${to}.`, { loc: ['to'] })
  return { read: filter, write }
}

function sourceOf(from: string): SourceFormat {
  const source = SOURCES[from]
  if (source === undefined) throw new Fault('invalid', `LibreOffice reads no ${from} files here.`, { loc: ['from'] })
  return source
}

/** Refuses a file that is not of its kind. Throws Fault `invalid`, which says so of one that is protected by a password. */
export async function assertKind(from: string, file: AsyncIterable<Uint8Array>): Promise<void> {
  const { container, holds } = sourceOf(from)
  let tail: Buffer | null = null
  for await (const chunk of file) {
    if (tail === null) assertBegins(from, chunk)
    if (holds === undefined) return
    const seen: Buffer = Buffer.concat([tail ?? Buffer.alloc(0), chunk])
    if (seen.includes(holds)) return
    tail = seen.subarray(-holds.length)
  }
  if (tail === null && container === null) throw refused('The file is empty.')
  throw refused(`The file is no ${from} file.`)
}

function assertBegins(from: string, chunk: Uint8Array): void {
  const { container } = sourceOf(from)
  const begins = (magic: Buffer): boolean => magic.equals(chunk.subarray(0, magic.length))
  if (container === null || begins(MAGIC[container])) return
  // A password turns Office Open XML into a compound file around what is encrypted (MS-OFFCRYPTO, 2.3.4.4).
  const sealed = container === 'zip' && begins(MAGIC.ole) && !from.startsWith('od')
  throw refused(sealed ? `The file is protected by a password, or is no ${from} file.` : `The file is no ${from} file.`)
}

function refused(why: string): Fault {
  return new Fault('invalid', why, { loc: ['file'] })
}
