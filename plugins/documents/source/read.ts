import { Fault, parseUrl, type HandlerContext, type ScratchFile } from '../../../core/sdk/index.js'
import { readContent } from './content.js'
import { readDocument } from './document.js'
import { readPage } from './page.js'
import { readPicture } from './picture.js'
import type { Source } from './types.js'

const MAX_BYTES = 100 * 1024 * 1024
const MARKUP = new Set(['text/html', 'application/xhtml+xml'])

/** Reads the caller's source: a text, a page, a document or a picture of one. */
export async function readSource({ url, content }: { url: string | null; content: string | null }, ctx: HandlerContext): Promise<Source> {
  if (content !== null) return await readContent(content, ctx)
  if (url === null) throw new Fault('invalid', 'Give url or content.', { loc: ['url'] })
  ctx.progress('reading', url)
  const file = await fetched(url, ctx)
  const name = parseUrl(url)?.pathname.slice(-300) ?? ''
  const kind = file === null ? null : await ctx.scratch.kind(file, name)
  if (file === null || MARKUP.has(kind?.contentType ?? '')) return await readPage({ url, file }, ctx)
  if (kind?.contentType.startsWith('image/') === true && kind.contentType !== 'image/svg+xml') return await readPicture(file, ctx)
  return await readDocument({ file, name }, ctx)
}

/** The file at an address; null when its site rejects plain requests and a browser may still be accepted. */
async function fetched(url: string, ctx: HandlerContext): Promise<ScratchFile | null> {
  try {
    return await ctx.scratch.fetch(url, { maxBytes: MAX_BYTES })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'blocked' || error.unavailable) throw error
    // A refusal by the guard is final.
    await ctx.assertPublic(url)
    ctx.log('the address turned a plain request away', { reason: error.message })
    return null
  }
}
