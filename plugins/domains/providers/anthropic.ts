import { provider } from '../../../core/sdk/index.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { names } from '../contract.js'
import { MODEL_MS, modelNames } from '../names/model-names.js'

/** Generates names with this vendor's model. */
export const anthropicNames = provider(names, {
  vendor,
  rank: 20,
  timeoutMs: MODEL_MS,
  run: (input, context) => modelNames(input, context, vendor.id),
})
