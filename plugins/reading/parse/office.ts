import { Fault } from '../../../core/sdk/fault.js'
import type { Format } from '../contract.js'
import { encrypted, other, reading, type Read, type ReadArgs } from './read.js'
import { assertPlainXml, elementsOf } from './xml.js'
import { unzip, type Unpacked } from './zip.js'

type Office = Extract<Format, 'docx' | 'xlsx' | 'ods' | 'pptx' | 'odt' | 'odp' | 'epub'>

const ODF: Readonly<Record<string, Office>> = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' }

/**
 * Reads office documents and books: XML archives and old spreadsheets. Runs in the sandbox, in a separate process for
 * each document: only the reader of its format is loaded, since all libraries together take half a second of
 * processor time.
 */
export default async function readOffice(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  if (bytes[0] === 0xd0) return await readCompound(bytes, args)
  const files = await reading('office document', () => unzip(bytes))
  const format = formatOf(files)
  if (format === null) throw new Fault('invalid', 'The file is an archive, not a document.')
  if (args.format !== null && args.format !== format) throw other(args.format, format)
  assertOpen(files)
  // The libraries read these themselves.
  if (format !== 'epub') for (const [name, content] of files) if (/\.(?:xml|rels)$/i.test(name)) assertPlainXml(content)
  return await reading(`${format} document`, async () => {
    if (format === 'docx') return await (await import('./docx.js')).readDocx(files, args)
    if (format === 'pptx') return (await import('./pptx.js')).readPptx(files, args)
    if (format === 'epub') return (await import('./epub.js')).readEpub(files, args)
    if (format === 'odt' || format === 'odp') return (await import('./odf.js')).readOdf(format, files, args)
    return (await import('./sheets.js')).readSheets(format, bytes, files, args)
  })
}

/** The legacy Office container (MS-CFB), which is also used for encrypted new documents. */
async function readCompound(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  const { compoundFiles, readSheets } = await import('./sheets.js')
  const names = await reading('office document', () => compoundFiles(bytes))
  if (names.has('EncryptedPackage')) throw encrypted()
  if (names.has('Workbook') || names.has('Book')) {
    if (args.format !== null && args.format !== 'xls') throw other(args.format, 'xls')
    return await reading('xls document', () => readSheets('xls', bytes, new Map(), args))
  }
  const kind = names.has('WordDocument')
    ? 'doc'
    : names.has('PowerPoint Document')
      ? 'ppt'
      : names.has('__properties_version1.0')
        ? 'msg'
        : null
  if (kind === null) throw new Fault('invalid', 'The file is not a readable document.')
  if (args.format !== null) throw other(args.format, kind)
  throw new Fault('missing', `Documents of the old format ${kind} are not read: convert the file first.`)
}

function formatOf(files: Unpacked): Office | null {
  const type = files.get('mimetype')?.toString('latin1', 0, 200).trim() ?? ''
  if (type === 'application/epub+zip' || (type === '' && files.has('META-INF/container.xml'))) return 'epub'
  const odf = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)(?:-template)?$/.exec(type)?.[1]
  if (odf !== undefined) return ODF[odf] ?? null
  if (!files.has('[Content_Types].xml')) return null
  if ([...files.keys()].some((name) => /^word\/document\d*\.xml$/.test(name))) return 'docx'
  if (files.has('ppt/presentation.xml')) return 'pptx'
  return files.has('xl/workbook.xml') || files.has('xl/workbook.bin') ? 'xlsx' : null
}

/** OpenDocument and EPUB encrypt each file separately and list them; in books only fonts may be obfuscated. */
function assertOpen(files: Unpacked): void {
  if (elementsOf(files.get('META-INF/manifest.xml')).some(({ name }) => name === 'encryption-data')) throw encrypted()
  const hidden = elementsOf(files.get('META-INF/encryption.xml')).filter(({ name }) => name === 'CipherReference')
  if (hidden.some(({ attributes }) => /\.x?html?$/i.test(attributes['URI'] ?? ''))) throw encrypted()
}
