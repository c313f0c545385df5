import type { ScratchFile, Services } from '../../../core/sdk/index.js'
import { pageFacts } from '../../scrape/contract.js'
import type { PageFacts } from './page-facts.js'

/** A fetched page. */
export interface FetchedPage {
  readonly bytes: Uint8Array
  readonly charset: string
  readonly url: string
}

/** The machine-readable facts of a page. Throws as `page.facts` does. */
export async function factsOf({ bytes, charset, url }: FetchedPage, ctx: Services): Promise<PageFacts> {
  const file: ScratchFile = await ctx.scratch.write(bytes)
  try {
    return await ctx.call(pageFacts, { file, base: url, charset: charset.slice(0, 40) })
  } finally {
    await ctx.scratch.remove(file)
  }
}
