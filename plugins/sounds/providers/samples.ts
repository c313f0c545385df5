import { provider } from '../../../core/sdk/index.js'
import { samples as vendor } from '../../_vendors/samples.js'
import { soundVendors } from '../contract.js'
import { madeLocally } from '../local.js'

/** Prompts of which recorded sounds fit every part. */
export const samples = provider(soundVendors, { vendor, rank: 60, run: async (input, ctx) => await madeLocally(input, 'samples', ctx) })
