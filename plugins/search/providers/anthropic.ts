import { provider } from '../../../core/sdk/index.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { modelAnswer } from '../answer/model-answer.js'
import { overResults } from '../answer/sources.js'
import { answer } from '../contract.js'

/** An answer by this vendor's model from search results and their pages. */
export const anthropicAnswer = provider(answer, {
  vendor,
  rank: 40,
  serves: overResults,
  timeoutMs: 20_000,
  run: (input, ctx) => modelAnswer(input, ctx, vendor.id),
})
