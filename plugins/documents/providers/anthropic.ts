import { provider } from '../../../core/sdk/index.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { extractVendors } from '../contract.js'
import { modelExtract, TRY_MS } from '../model/model-extract.js'
import { settings } from '../settings.js'

/** Extracts data from a text by this vendor's model. */
export const anthropicExtract = provider(extractVendors, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: TRY_MS,
  run: (input, ctx) => modelExtract(input, ctx, vendor.id),
})
