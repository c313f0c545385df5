import { Fault, provider } from '../../../core/sdk/index.js'
import { extractive as vendor } from '../../_vendors/extractive.js'
import { extracted } from '../answer/extract.js'
import { gathered, overResults } from '../answer/sources.js'
import { answer } from '../contract.js'

/** An answer of sentences taken from the sources, for when no model is configured or none answered. */
export const extractiveAnswer = provider(answer, {
  vendor,
  rank: 90,
  serves: overResults,
  run: async (input, ctx) => {
    const { results, sources } = await gathered(input, ctx)
    const found = extracted(input.query, sources)
    if (found === null)
      throw new Fault('missing', 'No sentence of the pages found answers this, and no language model is set that could.', {
        remedy: 'Ask with mode serp for the results themselves, or in other words.',
      })
    ctx.note('The answer is made of sentences taken from the sources; no language model wrote it.')
    return { ...results, ...found, method: 'extractive' as const }
  },
})
