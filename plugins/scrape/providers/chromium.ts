import { provider } from '../../../core/sdk/index.js'
import { browserRender } from '../../browser/contract.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { scrapeRender } from '../contract.js'
import { browserQuestion, renderedPage } from '../page/rendered.js'

export const chromium = provider(scrapeRender, {
  vendor,
  uses: [browserRender],
  rank: 10,
  run: async (input, context) => await renderedPage(context, await context.call(browserRender, browserQuestion(input)), input),
})
