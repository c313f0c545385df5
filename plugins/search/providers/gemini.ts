import { provider } from '../../../core/sdk/index.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { modelAnswer } from '../answer/model-answer.js'
import { overResults } from '../answer/sources.js'
import { answer } from '../contract.js'

/** An answer by this vendor's model from search results and their pages. */
export const geminiAnswer = provider(answer, {
  vendor,
  rank: 50,
  serves: overResults,
  timeoutMs: 20_000,
  run: (input, ctx) => modelAnswer(input, ctx, vendor.id),
})
