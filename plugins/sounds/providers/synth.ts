import { provider } from '../../../core/sdk/index.js'
import { synth as vendor } from '../../_vendors/synth.js'
import { soundVendors } from '../contract.js'

/** Also mixes its sounds with recorded sounds and music. */
export const synth = provider(soundVendors, {
  vendor,
  rank: 80,
  run: async (input, ctx) => await (await import('../local.js')).madeLocally(input, 'synth', ctx),
})
