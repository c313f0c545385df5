import { Fault, type Services } from '../../../core/sdk/index.js'
import type { Question, ReadPage } from '../contract.js'
import type { DocxOutput } from '../parse/docx.js'
import type { PdfOutput } from '../parse/pdf.js'
import { readHtml } from './html.js'
import { readText } from './text.js'

const PDF = new URL('../parse/pdf.js', import.meta.url)
const DOCX = new URL('../parse/docx.js', import.meta.url)
const LIMITS = { timeoutMs: 20_000, memoryMb: 512 }

/** Text of a PDF document. Throws `blocked` over a limit, `invalid` for a broken or encrypted file, `missing` for one without text. */
export async function readPdf(context: Services, bytes: Uint8Array, output: Question['output']): Promise<ReadPage> {
  const parsed = await context.parse<PdfOutput>(PDF, bytes, LIMITS)
  if ('problem' in parsed) throw problem(parsed)
  const { content, links } = await readText(context, parsed.pages, output)
  if (content === '') throw new Fault('missing', 'the document has no text, only pictures')
  const all = [...new Set([...parsed.links, ...links])].slice(0, 5000)
  return { content, title: parsed.title, description: null, links: all, screenshot_url: null }
}

/** Text of a Word document, by way of its HTML. Throws like readPdf. */
export async function readDocx(context: Services, bytes: Uint8Array, input: Question): Promise<ReadPage> {
  const parsed = await context.parse<DocxOutput>(DOCX, bytes, LIMITS)
  if ('problem' in parsed) throw problem(parsed)
  const page = await readHtml(
    context,
    { html: parsed.html, url: input.url, status: 200 },
    { url: input.url, output: input.output, selector: null, whole: true },
  )
  return { ...page, title: page.title ?? parsed.title }
}

function problem(parsed: { problem: 'limit' | 'broken' | 'encrypted'; message: string }): Fault {
  return parsed.problem === 'limit' ? new Fault('blocked', parsed.message) : new Fault('invalid', parsed.message, { loc: ['url'] })
}
