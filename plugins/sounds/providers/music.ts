import { provider } from '../../../core/sdk/index.js'
import { music as vendor } from '../../_vendors/music.js'
import { soundVendors } from '../contract.js'
import { madeLocally } from '../local.js'

/** Prompts that ask for music alone. */
export const music = provider(soundVendors, { vendor, rank: 70, run: async (input, ctx) => await madeLocally(input, 'music', ctx) })
