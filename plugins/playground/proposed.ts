import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import { chat } from '../llm/contract.js'
import type { Catalogue } from './catalogue.js'
import type { Proposal, Question } from './contract.js'
import { knownCatalogues } from './known-catalogues.js'
import { matchedProposal } from './matched.js'
import { modelProposal } from './model.js'

type Context = Pick<ProviderContext, 'use' | 'has' | 'call' | 'wait' | 'log' | 'signal'>

/** Milliseconds for a model: a person is waiting for the answer. */
const MODEL_MS = 8_000

/** The meaning of a sentence: by a model if one is live, else by the phrases of the capabilities. */
export async function proposed(question: Question, context: Context): Promise<Proposal> {
  const catalogue = (await context.use(knownCatalogues)).of(question)
  const matched = matchedProposal(question, catalogue)
  const chosen = await byModel(question, catalogue, context)
  if (chosen === null) return matched
  // Values found by form (addresses, numbers) complete the model's values.
  const params = chosen.capability === matched.capability ? { ...matched.params, ...chosen.params } : chosen.params
  const others = [matched.capability, ...matched.alternatives].filter((id) => id !== chosen.capability)
  return { capability: chosen.capability, params, alternatives: others.filter((id) => id !== null) }
}

/** Null when no model is configured, and when it failed or took too long. */
async function byModel(question: Question, catalogue: Catalogue, context: Context): Promise<Proposal | null> {
  if (!context.has(chat)) return null
  try {
    // A model that is still busy is cancelled when the answer is sent.
    const late = context.wait(MODEL_MS).then(() => {
      context.log('the model took too long')
      return null
    })
    return await Promise.race([modelProposal(question, catalogue, context), late])
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    context.log('no model could be called', { reason: error.internal ?? error.message })
    return null
  }
}
