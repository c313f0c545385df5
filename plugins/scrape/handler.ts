import { Fault, handle } from '../../core/sdk/index.js'
import { scrape, scrapeFetch, scrapeRender, scrapeStealth } from './contract.js'

export const scrapeHandler = handle(scrape, async ({ mode, ...question }, context) => {
  if (mode === 'fast') {
    context.progress('fetch', question.url)
    return context.call(scrapeFetch, question)
  }
  context.progress('render', question.url)
  if (mode === 'standard') return context.call(scrapeRender, question)
  try {
    return await context.call(scrapeRender, { ...question, screenshot: true })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'blocked') throw error
    context.log('the page refused an ordinary browser', { reason: error.message })
    context.progress('stealth', question.url)
    return context.call(scrapeStealth, { ...question, screenshot: true })
  }
})
