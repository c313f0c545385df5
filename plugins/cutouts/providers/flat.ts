import { provider } from '../../../core/sdk/index.js'
import { flat as vendor } from '../../_vendors/flat.js'
import { cutoutVendors } from '../contract.js'
import { cutIn } from '../finished.js'

const FLAT = new URL('../parse/flat.js', import.meta.url)

/** Null where the edge of the picture is not of one colour, so that the next vendor is asked. */
export const flat = provider(cutoutVendors, {
  vendor,
  rank: 50,
  run: async ({ file, size, format }, context) => await cutIn(FLAT, [file], { size, format }, context),
})
