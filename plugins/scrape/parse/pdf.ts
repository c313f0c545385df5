import { getDocumentProxy, getMeta } from 'unpdf'
import { parseUrl } from '../../../core/sdk/url.js'

export type PdfOutput =
  | { readonly pages: readonly string[]; readonly title: string | null; readonly links: readonly string[] }
  | { readonly problem: 'limit' | 'broken' | 'encrypted'; readonly message: string }

const MAX_PAGES = 200
const MAX_CHARACTERS = 5_000_000

/** Text of a PDF, page by page. Runs in the sandbox, with script evaluation off. */
export default async function parsePdf(bytes: Uint8Array): Promise<PdfOutput> {
  const opened = await open(bytes)
  if ('problem' in opened) return opened
  if (opened.numPages > MAX_PAGES) return { problem: 'limit', message: `the document has ${opened.numPages} pages, more than ${MAX_PAGES}` }
  const pages: string[] = []
  const links = new Set<string>()
  let size = 0
  for (let number = 1; number <= opened.numPages; number += 1) {
    const page = await opened.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    size += text.length
    if (size > MAX_CHARACTERS) return { problem: 'limit', message: `the document has more than ${MAX_CHARACTERS} characters` }
    pages.push(text)
    const notes: unknown = await page.getAnnotations()
    for (const url of urls(notes)) if (links.size < 5000) links.add(url)
    page.cleanup()
  }
  const { info } = await getMeta(opened)
  const title: unknown = 'Title' in info ? info['Title'] : null
  return { pages, title: typeof title === 'string' && title.trim() !== '' ? title.trim().slice(0, 500) : null, links: [...links] }
}

async function open(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof getDocumentProxy>> | Extract<PdfOutput, { problem: string }>> {
  try {
    return await getDocumentProxy(bytes, { isEvalSupported: false })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      return { problem: 'encrypted', message: 'the document at url is encrypted' }
    return { problem: 'broken', message: 'the document at url is not a readable PDF' }
  }
}

function urls(notes: unknown): string[] {
  if (!Array.isArray(notes)) return []
  return notes.flatMap((note: unknown) => {
    const url = typeof note === 'object' && note !== null && 'url' in note ? note.url : null
    return typeof url === 'string' && /^https?:\/\//i.test(url) && parseUrl(url) !== null ? [new URL(url).href] : []
  })
}
