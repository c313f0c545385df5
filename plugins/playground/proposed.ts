import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import { chat } from '../llm/contract.js'
import type { Catalogue } from './catalogue.js'
import type { Proposal, Question } from './contract.js'
import { knownCatalogues } from './known-catalogues.js'
import { matchedProposal } from './matched.js'
import { modelProposal } from './model.js'

type Context = Pick<ProviderContext, 'use' | 'has' | 'call' | 'wait' | 'log' | 'signal'>

/** Milliseconds that a model has: a person waits for the answer. */
const MODEL_MS = 8_000

/** What a sentence means: by the choice of a model where there is one, else by the phrases of the capabilities. */
export async function proposed(question: Question, context: Context): Promise<Proposal> {
  const catalogue = (await context.use(knownCatalogues)).of(question)
  const matched = matchedProposal(question, catalogue)
  const chosen = await byModel(question, catalogue, context)
  if (chosen === null) return matched
  // What is found by form (addresses, numbers) completes what the model copied.
  const params = chosen.capability === matched.capability ? { ...matched.params, ...chosen.params } : chosen.params
  const others = [matched.capability, ...matched.alternatives].filter((id) => id !== chosen.capability)
  return { capability: chosen.capability, params, alternatives: others.filter((id) => id !== null) }
}

/** Null where no model is configured, and where it failed or took too long. */
async function byModel(question: Question, catalogue: Catalogue, context: Context): Promise<Proposal | null> {
  if (!context.has(chat)) return null
  try {
    // A model that is still busy then is given up when the answer is out.
    const late = context.wait(MODEL_MS).then(() => {
      context.log('the model took too long')
      return null
    })
    return await Promise.race([modelProposal(question, catalogue, context), late])
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    context.log('no model could be asked', { reason: error.internal ?? error.message })
    return null
  }
}
