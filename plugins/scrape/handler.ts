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

/** What a site refuses, or does not show, to an ordinary browser. A page that does not exist is not asked for again. */
function mayBeSeenElsewhere({ kind, final }: Fault): boolean {
  return kind === 'blocked' || (kind === 'missing' && !final)
}

/** Asks the stealth browsers. What they say of the page counts; where they say nothing of it, what the ordinary one said. */
async function escalated(question: Question, first: Fault, context: HandlerContext): Promise<ReadPage> {
  context.log('an ordinary browser did not get the page', { reason: first.message })
  context.progress('stealth', first.message)
  try {
    return await context.call(scrapeStealth, question)
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'blocked' || error.kind === 'missing') throw error
    context.log('no stealth browser said anything of the page', { kind: error.kind, reason: error.message })
    throw first
  }
}
