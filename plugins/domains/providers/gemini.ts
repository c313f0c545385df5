import { provider } from '../../../core/sdk/index.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { names } from '../contract.js'
import { MODEL_MS, modelNames } from '../names/model-names.js'

/** Generates names with this vendor's model. */
export const geminiNames = provider(names, {
  vendor,
  rank: 30,
  timeoutMs: MODEL_MS,
  run: (input, context) => modelNames(input, context, vendor.id),
})
