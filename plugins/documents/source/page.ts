import { Fault, type HandlerContext, type ScratchFile } from '../../../core/sdk/index.js'
import { pageFacts, scrapeFetch, scrapeRender } from '../../scrape/contract.js'
import type { Source } from './types.js'

const FACTS_MS = 15_000

/** Reads a page: by plain HTTP, or in a browser if one is live and the page refuses or needs scripts. */
export async function readPage({ url, file }: { url: string; file: ScratchFile | null }, ctx: HandlerContext): Promise<Source> {
  const facts = file === null ? null : await ctx.aside((side) => side.call(pageFacts, { file, base: url }), { withinMs: FACTS_MS })
  const page = await content(url, ctx)
  const head = [page.title, page.description].filter((line) => line !== null && !page.content.includes(line))
  return { text: [...head, page.content].join('\n\n'), facts, tables: [], truncated: false }
}

async function content(url: string, ctx: HandlerContext) {
  try {
    return await ctx.call(scrapeFetch, { url })
  } catch (error) {
    const helped = Fault.is(error) && !error.unavailable && (error.kind === 'blocked' || error.kind === 'missing')
    if (!helped || !ctx.has(scrapeRender)) throw error
    ctx.log('the page is read in a browser', { reason: error.message })
    ctx.progress('rendering', url)
    return await ctx.call(scrapeRender, { url })
  }
}
