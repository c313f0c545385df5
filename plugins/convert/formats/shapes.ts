import type { Shape } from './shape.js'

/** The end of the central directory of a ZIP archive (APPNOTE 4.3.16). */
const ZIP_END = 'PK\x05\x06'

/** A document in a ZIP archive with an entry whose name or content type contains these words. */
export function zipped(...holds: readonly string[]): Shape {
  return { zip: true, holds, ends: ZIP_END }
}

/** OpenDocument, also a template. Some programs compress the media type; then LibreOffice decides. */
export function openDocument(kind: string): Shape {
  return { zip: true, holds: ['META-INF/manifest.xml'], mimetype: `application/vnd.oasis.opendocument.${kind}`, ends: ZIP_END }
}

/** A compound file (MS-CFB) with a stream of this name. */
export function compound(...streams: readonly string[]): Shape {
  return {
    begins: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    holds: streams.map((name) => Buffer.from(name, 'utf16le').toString('latin1')),
  }
}

/** XML, or another text, in which an element of this name comes first or early. */
export function element(name: string): Shape {
  return { text: new RegExp(`<(?:[\\w-]{1,40}:)?${name}[\\s/>]`, 'i') }
}
