import { atField } from '../../_shared/at-field.js'
import { Fault, type Page, type Services } from '../../../core/sdk/index.js'
import { documentRead, type DocumentRead } from '../../reading/contract.js'
import type { Question, ReadPage } from '../contract.js'
import { readHtml } from './html.js'
import { readText } from './text.js'

const MAX_HINT = 300

/**
 * Text of a document (PDF, Word and other office formats, books), from its HTML if available. Throws `invalid` for a
 * file that is damaged, encrypted or beyond a limit, `missing` for one without text.
 */
export async function readDocument(context: Services, got: Page, input: Question): Promise<ReadPage> {
  const read = await parsed(context, got)
  for (const note of read.notes) context.note(note)
  if (read.html !== null) {
    const html = `<!doctype html><html><body>${read.html}</body></html>`
    const wanted = { url: got.url, output: input.output, selector: null, whole: true }
    const page = await readHtml(context, { html, url: got.url, status: 200 }, wanted)
    return { ...page, title: page.title ?? read.title }
  }
  const { content, links } = await readText(context, [read.text], input.output)
  if (content === '') throw new Fault('missing', withoutText(read))
  const all = [...new Set([...read.links, ...links])].slice(0, 5000)
  return { content, title: read.title, description: null, links: all, screenshot_url: null }
}

function withoutText({ unread_pages: unread, needs_ocr: pictures, notes }: DocumentRead): string {
  if (unread.length > 0) return `the text of the document could not be read: ${notes.join(' ')}`
  return `the document has no text${pictures ? ', only pictures' : ''}`
}

async function parsed(context: Services, { bytes, contentType, url }: Page): Promise<DocumentRead> {
  const file = await context.scratch.write(bytes)
  try {
    const isPdf = /^application\/(?:x-)?pdf$/.test(contentType)
    const reading = context.call(documentRead, {
      file,
      format: isPdf ? 'pdf' : null,
      content_type: contentType.slice(0, MAX_HINT),
      name: new URL(url).pathname.slice(-MAX_HINT),
      want: ['html'],
    })
    return await atField(reading, { loc: ['url'], what: 'the document at url' })
  } finally {
    await context.scratch.remove(file)
  }
}
