import { provider } from '../../../core/sdk/index.js'
import { synth as vendor } from '../../_vendors/synth.js'
import { soundVendors } from '../contract.js'
import { madeLocally } from '../local.js'

/** Also mixes what it makes with recorded sounds and music. */
export const synth = provider(soundVendors, { vendor, rank: 80, run: async (input, ctx) => await madeLocally(input, 'synth', ctx) })
