import { Fault, handle, type HandlerContext } from '../../core/sdk/index.js'
import { scrape, scrapeFetch, scrapeRender, scrapeStealth, type Question, type ReadPage } from './contract.js'

export const scrapeHandler = handle(scrape, async ({ mode, ...given }, context) => {
  const question = { ...given, screenshot: mode === 'thorough', scroll: mode === 'thorough' }
  if (mode === 'fast') {
    context.progress('fetch', question.url)
    return context.call(scrapeFetch, question)
  }
  context.progress('render', question.url)
  if (mode === 'standard') return context.call(scrapeRender, question)
  try {
    return await context.call(scrapeRender, question)
  } catch (error) {
    if (!Fault.is(error) || !mayBeSeenElsewhere(error)) throw error
    return await escalated(question, error, context)
  }
})

/** A failure that a stealth browser may avoid. A missing page is not requested again. */
function mayBeSeenElsewhere({ kind, final }: Fault): boolean {
  return kind === 'blocked' || (kind === 'missing' && !final)
}

/** Tries the stealth browsers. Their result on the page is used; without one, that of the ordinary browser. */
async function escalated(question: Question, first: Fault, context: HandlerContext): Promise<ReadPage> {
  context.log('an ordinary browser did not get the page', { reason: first.message })
  context.progress('stealth', first.message)
  try {
    return await context.call(scrapeStealth, question)
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'blocked' || error.kind === 'missing') throw error
    context.log('no stealth browser had a result for the page', { kind: error.kind, reason: error.message })
    throw first
  }
}
