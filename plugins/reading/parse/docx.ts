import mammoth from 'mammoth'
import { toMarkdown } from './markdown.js'
import { packageProperties } from './opc.js'
import { answer, type Read, type ReadArgs } from './read.js'
import { elementsOf } from './xml.js'
import type { Unpacked } from './zip.js'

/** Reads a Word document (ECMA-376) by way of HTML, without its pictures. Linked pictures and templates are not fetched. */
export async function readDocx(bytes: Uint8Array, files: Unpacked, args: ReadArgs): Promise<Read> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    {
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
    },
  )
  const targets = elementsOf(files.get('word/_rels/document.xml.rels')).filter(({ attributes }) => attributes['TargetMode'] === 'External')
  return answer('docx', {
    ...packageProperties(files),
    text: toMarkdown(value),
    html: args.html ? value : null,
    links: targets
      .filter(({ attributes }) => (attributes['Type'] ?? '').endsWith('/hyperlink'))
      .map(({ attributes }) => attributes['Target'] ?? ''),
  })
}
