import { provider } from '../../../core/sdk/index.js'
import { samples as vendor } from '../../_vendors/samples.js'
import { soundVendors } from '../contract.js'

/** Prompts whose parts all have recorded sounds. */
export const samples = provider(soundVendors, {
  vendor,
  rank: 60,
  run: async (input, ctx) => await (await import('../local.js')).madeLocally(input, 'samples', ctx),
})
