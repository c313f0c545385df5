import { provider } from '../../../core/sdk/index.js'
import { samples as vendor } from '../../_vendors/samples.js'
import { soundVendors } from '../contract.js'

/** Prompts of which recorded sounds fit every part. */
export const samples = provider(soundVendors, {
  vendor,
  rank: 60,
  run: async (input, ctx) => await (await import('../local.js')).madeLocally(input, 'samples', ctx),
})
