import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { phrases as vendor } from '../../_vendors/phrases.js'
import { chat } from '../../llm/contract.js'
import type { Catalogue } from '../catalogue.js'
import { propose, type Proposal, type Question } from '../contract.js'
import { knownCatalogues } from '../known-catalogues.js'
import { matchedProposal } from '../matched.js'
import { modelProposal } from '../model.js'

export const phrases = provider(propose, {
  vendor,
  run: async (question, context) => {
    const catalogue = (await context.use(knownCatalogues)).of(question)
    const matched = matchedProposal(question, catalogue)
    const chosen = await byModel(question, catalogue, context)
    if (chosen === null) return matched
    // What is found by form (addresses, numbers) completes what the model copied.
    const params = chosen.capability === matched.capability ? { ...matched.params, ...chosen.params } : chosen.params
    const others = [matched.capability, ...matched.alternatives].filter((id) => id !== null && id !== chosen.capability)
    return { capability: chosen.capability, params, alternatives: others.filter((id) => id !== null) }
  },
})

/** Null where no model is configured or it failed. */
async function byModel(question: Question, catalogue: Catalogue, context: ProviderContext): Promise<Proposal | null> {
  if (!context.has(chat)) return null
  try {
    return await modelProposal(question, catalogue, context)
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    context.log('no model could be asked', { reason: error.internal ?? error.message })
    return null
  }
}
