/** How the body of a page is read. */
type Kind = 'html' | 'text' | 'pdf' | 'docx' | 'office' | 'other'

const HTML = new Set(['text/html', 'application/xhtml+xml'])
const TEXT =
  /^(?:text\/.+|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|sql|graphql|x-sh|x-ndjson|jsonlines|rtf|x-httpd-php)|application\/.+\+(?:json|xml|yaml)|image\/svg\+xml|message\/rfc822)$/
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** Other documents that are recognised by their content. */
const OFFICE =
  /^application\/(?:vnd\.openxmlformats-officedocument\.(?:spreadsheetml|presentationml|wordprocessingml)\..+|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?:-template)?|epub\+zip|vnd\.ms-(?:excel|word|powerpoint)\..+)$/
/** File names in the archives of such documents. */
const PARTS = ['xl/workbook.', 'ppt/presentation.xml', 'mimetypeapplication/vnd.oasis.opendocument.', 'mimetypeapplication/epub+zip']
/** Signature of the legacy Office container (MS-CFB). */
const COMPOUND = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
/** Bytes at each end of an archive that are searched for names. */
const ARCHIVE_ENDS = 1 << 18
const UNSURE = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'application/zip',
  'application/x-zip-compressed',
  // Also used for CSV, HTML and other content.
  'application/vnd.ms-excel',
  'application/msword',
  'application/vnd.ms-powerpoint',
])

/** By media type, otherwise by the bytes. */
export function kindOf(contentType: string, bytes: Uint8Array, path: string): Kind {
  if (startsWith(bytes, '%PDF-')) return 'pdf'
  if (contentType === 'application/pdf' || contentType === 'application/x-pdf') return 'pdf'
  if (contentType === DOCX) return 'docx'
  if (OFFICE.test(contentType)) return 'office'
  if (HTML.has(contentType)) return 'html'
  if (UNSURE.has(contentType)) return sniff(bytes, path)
  return TEXT.test(contentType) ? 'text' : 'other'
}

function sniff(bytes: Uint8Array, path: string): Kind {
  if (startsWith(bytes, COMPOUND)) return 'office'
  if (startsWith(bytes, 'PK\u0003\u0004')) {
    if (/\.docx$/i.test(path) || names(bytes, 'word/document.xml')) return 'docx'
    return PARTS.some((part) => names(bytes, part)) ? 'office' : 'other'
  }
  const start = bytes.subarray(0, 1024)
  const wide = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  if (!wide && start.includes(0)) return 'other'
  return /<(?:!doctype html|html|head|body|title|meta|p|div|h1)[\s>]/i.test(Buffer.from(start).toString('latin1')) ? 'html' : 'text'
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(text.length, bytes.byteLength)).toString('latin1') === text
}

/** Names of an archive are at its start and in the directory at its end; the rest is not searched. */
function names(bytes: Uint8Array, text: string): boolean {
  return [bytes.subarray(0, ARCHIVE_ENDS), bytes.subarray(-ARCHIVE_ENDS)].some((part) => Buffer.from(part).includes(text))
}
