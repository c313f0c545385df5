import { provider } from '../../../core/sdk/index.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { names } from '../contract.js'
import { MODEL_MS, modelNames } from '../names/model-names.js'

/** Generates names with this vendor's model. */
export const openaiCompatibleNames = provider(names, {
  vendor,
  rank: 10,
  timeoutMs: MODEL_MS,
  run: (input, context) => modelNames(input, context, vendor.id),
})
