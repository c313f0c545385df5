import { provider } from '../../../core/sdk/index.js'
import { music as vendor } from '../../_vendors/music.js'
import { soundVendors } from '../contract.js'

/** Prompts that request only music. */
export const music = provider(soundVendors, {
  vendor,
  rank: 70,
  run: async (input, ctx) => await (await import('../local.js')).madeLocally(input, 'music', ctx),
})
