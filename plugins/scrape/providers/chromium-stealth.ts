import { provider } from '../../../core/sdk/index.js'
import { browserStealth } from '../../browser/contract.js'
import { chromiumStealth as vendor } from '../../_vendors/chromium-stealth.js'
import { scrapeStealth } from '../contract.js'
import { browserQuestion, renderedPage } from '../page/rendered.js'

export const chromiumStealth = provider(scrapeStealth, {
  vendor,
  uses: [browserStealth],
  rank: 10,
  run: async (input, context) => await renderedPage(context, await context.call(browserStealth, browserQuestion(input)), input),
})
