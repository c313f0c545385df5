import { Fault, provider } from '../../../core/sdk/index.js'
import { flat as vendor } from '../../_vendors/flat.js'
import { cutoutVendors } from '../contract.js'
import { cutIn } from '../finished.js'

const FLAT = new URL('../parse/flat.js', import.meta.url)

/** `missing` where the edge of the picture is not of one colour, so that the next vendor is asked. */
export const flat = provider(cutoutVendors, {
  vendor,
  rank: 50,
  run: async ({ file, size, format }, context) => {
    const made = await cutIn(FLAT, [file], { size, format }, context)
    if (made === null) throw new Fault('missing', 'No subject stands out from a background of one colour.')
    return made
  },
})
