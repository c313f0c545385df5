import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { isRecord } from '../../../core/sdk/json.js'
import { bodySize, linesOf, markdownOf, type Line } from './pdf-lines.js'
import { characterMaps, unreadNotes, unmappedIn, type CharacterMaps } from './pdf-maps.js'
import { embeddedFiles } from './pdf-files.js'
import { PdfObjects } from './pdf-objects.js'
import { Replacements } from './pdf-replacements.js'
import { reasonOf } from './pdf-syntax.js'
import { runsOf, type Run } from './pdf-runs.js'
import { wordsOf } from './pdf-words.js'
import { answer, attached, encrypted, field, other, reading, type Attached, type Read, type ReadArgs } from './read.js'

// Loaded now instead of with the first file, so that a warm process already has it.
const { OPS } = await getResolvedPDFJS()

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Document['getPage']>>
type Positions = NonNullable<Read['positions']>

/** Reading ends after this time with the result so far. */
const ENOUGH_MS = 12_000
const MAX_TEXT = 5_000_000
/** Time limit for locating the objects, and for searching files. */
const OBJECTS_MS = 3_000
const FILES_MS = 3_000
/** Words with positions, which the gateway parses at once. */
const MAX_WORDS = 20_000
const MAX_NOTES_OF_PAGE = 2_000

interface Pages {
  readonly lines: Line[][]
  readonly positions: Positions
  readonly empty: number[]
  /** Numbers of pages that draw text without any readable letter. */
  readonly unread: number[]
  /** Characters that are meaningless outside their font. */
  unmapped: number
  readonly links: string[]
  /** Files attached to a position on a page, as returned by pdf.js. */
  readonly placed: unknown[]
  readonly last: number
}

/** Reads a PDF (ISO 32000). Scripts, actions and embedded programs are ignored. Runs in the sandbox. */
export default async function readPdf(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  if (args.format !== null && args.format !== 'pdf') throw other(args.format, 'pdf')
  return await reading('PDF document', async () => {
    const maps = characterMaps()
    // pdf.js detaches the bytes.
    const objects = objectsOf(bytes.slice())
    const document = await open(bytes, maps)
    const replacements = objects instanceof PdfObjects ? new Replacements(objects) : null
    const pages = await pagesOf(document, replacements, args)
    const { lines, positions, empty, links, last } = pages
    const body = bodySize(lines.flat())
    const read = Math.max(0, last - args.firstPage + 1)
    const files = args.attachments ? await attachmentsOf(document, pages.placed, objects) : { attachments: [], notes: [] }
    const skipped =
      typeof objects === 'string' ? [`Replacement texts and associated files that this PDF may have were not read: ${objects}.`] : []
    const cut = read < document.numPages
    const notes = cut ? [`Of ${document.numPages} pages ${read} were read, from page ${args.firstPage}.`] : []
    return answer('pdf', {
      ...(await about(document)),
      pages: document.numPages,
      pages_without_text: empty,
      needs_ocr: read > 0 && empty.length === read,
      unread_pages: pages.unread,
      text: lines
        .map((page) => markdownOf(page, body))
        .filter((text) => text !== '')
        .join('\n\n'),
      positions: args.positions ? positions : null,
      links,
      attachments: files.attachments,
      truncated: cut,
      notes: [...notes, ...unreadNotes(pages, maps.missing), ...(replacements?.notes ?? []), ...files.notes, ...skipped],
    })
  })
}

async function open(bytes: Uint8Array, { Factory }: CharacterMaps): Promise<Document> {
  try {
    return await getDocumentProxy(bytes, {
      BinaryDataFactory: Factory,
      cMapPacked: false,
      // Nothing is rendered, so no picture is unpacked.
      maxImageSize: 1,
      isEvalSupported: false,
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw encrypted()
    throw error
  }
}

/**
 * The objects of the file for data that pdf.js does not expose, or why they cannot be read. Whether the file is
 * damaged is decided by pdf.js, which repairs more.
 */
function objectsOf(bytes: Uint8Array): PdfObjects | string {
  try {
    const objects = new PdfObjects(bytes, OBJECTS_MS)
    return objects.encrypted ? 'it is encrypted' : objects.catalogue.size === 0 ? 'its objects are broken' : objects
  } catch (error) {
    return reasonOf(error)
  }
}

async function pagesOf(
  document: Document,
  replacements: Replacements | null,
  { firstPage, maxPages, positions: wanted }: ReadArgs,
): Promise<Pages> {
  const end = performance.now() + ENOUGH_MS
  const pages: Pages = { lines: [], positions: [], empty: [], unread: [], unmapped: 0, links: [], placed: [], last: 0 }
  let [number, size, words] = [firstPage, 0, 0]
  for (; number <= document.numPages && number < firstPage + maxPages; number += 1) {
    if (performance.now() > end || size > MAX_TEXT || words > MAX_WORDS) break
    const page = await document.getPage(number)
    const view = page.getViewport({ scale: 1 })
    const notes: unknown = await page.getAnnotations()
    const annotations: readonly unknown[] = Array.isArray(notes) ? notes.slice(0, MAX_NOTES_OF_PAGE) : []
    const marks = replacements?.of({ number, object: page.ref?.num ?? 0 }) ?? null
    const { runs, links } = runsOf(await page.getTextContent({ includeMarkedContent: marks !== null }), view, annotations, marks)
    for (const annotation of annotations) if (isRecord(annotation) && isRecord(annotation['file'])) pages.placed.push(annotation['file'])
    if (!runs.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) {
      pages.empty.push(number)
      if (await drawsText(page)) pages.unread.push(number)
    }
    page.cleanup()
    const lines = linesOf(runs)
    size += textSize(runs)
    for (const { text } of runs) pages.unmapped += unmappedIn(text)
    pages.lines.push(lines)
    pages.links.push(...links)
    if (!wanted) continue
    const placed = wordsOf(lines)
    words += placed.length
    pages.positions.push({ page: number, width: round(view.width), height: round(view.height), words: placed })
  }
  return { ...pages, last: number - 1 }
}

function textSize(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0)
}

/**
 * Whether a page has operators that show text (ISO 32000-1, 9.4.3). A list that ends within a text object was cut
 * short by a font that cannot be loaded.
 */
async function drawsText(page: Page): Promise<boolean> {
  const { fnArray } = await page.getOperatorList()
  return fnArray.includes(OPS.showText) || fnArray.lastIndexOf(OPS.beginText) > fnArray.lastIndexOf(OPS.endText)
}

async function about(document: Document): Promise<Pick<Read, 'title' | 'language' | 'metadata'>> {
  const { info } = await document.getMetadata()
  const of = (name: string): unknown => (isRecord(info) ? info[name] : null)
  return {
    title: field(of('Title')),
    language: field(of('Language')),
    metadata: {
      author: field(of('Author')),
      subject: field(of('Subject')),
      keywords: field(of('Keywords')),
      description: null,
      created: pdfDate(of('CreationDate')),
      modified: pdfDate(of('ModDate')),
      producer: field(of('Producer')) ?? field(of('Creator')),
    },
  }
}

/** `D:20240131120000+01'00'` (ISO 32000-1, 7.9.4) as ISO 8601 in UTC. */
function pdfDate(text: unknown): string | null {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(typeof text === 'string' ? text : '')
  if (parts === null) return null
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, zone = '00', zoneMinute = '00'] = parts
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zone}:${zoneMinute}`}`)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/**
 * Files of the document's name tree (ISO 32000-1, 7.11.4), those attached to a position on a page that was read
 * (12.5.6.15), then all others, each once.
 */
async function attachmentsOf(
  document: Document,
  placed: readonly unknown[],
  objects: PdfObjects | string,
): Promise<{ attachments: readonly Attached[]; notes: readonly string[] }> {
  const named: unknown = await document.getAttachments()
  const files = [...(isRecord(named) ? Object.values(named) : []), ...placed].flatMap((file) => {
    if (!isRecord(file) || !(file['content'] instanceof Uint8Array)) return []
    const name = field(file['filename']) ?? 'attachment'
    return [{ name, content_type: /\.xml$/i.test(name) ? 'text/xml' : null, bytes: file['content'] }]
  })
  const { files: found, skipped } = objects instanceof PdfObjects ? embeddedFiles(objects, FILES_MS) : { files: [], skipped: null }
  let broken = 0
  for (const { name, contentType, bytes } of found) {
    const file = { name: field(name) ?? 'attachment', content_type: contentType ?? (/\.xml$/i.test(name) ? 'text/xml' : null) }
    if (bytes !== null) files.push({ ...file, bytes })
    else if (!files.some((other) => other.name === file.name)) broken += 1
  }
  const { attachments, notes = [] } = attached(files.filter((file, at) => files.findIndex((other) => isSame(file, other)) === at))
  return {
    attachments,
    notes: [
      ...notes,
      ...(broken === 0 ? [] : [`Attached files that could not be unpacked: ${broken}.`]),
      ...(skipped === null ? [] : [`Some attached files of this PDF were not read: ${skipped}.`]),
    ],
  }
}

type Embedded = Readonly<{ name: string; bytes: Uint8Array }>

function isSame(one: Embedded, other: Embedded): boolean {
  return one.name === other.name && Buffer.compare(one.bytes, other.bytes) === 0
}

function round(points: number): number {
  return Math.round(points * 100) / 100
}
