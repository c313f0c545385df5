import { Fault, provider } from '../../../core/sdk/index.js'
import { flat as vendor } from '../../_vendors/flat.js'
import { cutoutVendors } from '../contract.js'
import { cutIn } from '../finished.js'

const FLAT = new URL('../parse/flat.js', import.meta.url)

/** `missing` when the edge of the picture is not uniform, so that the next vendor is tried. */
export const flat = provider(cutoutVendors, {
  vendor,
  rank: 50,
  run: async ({ file, size, format }, context) => {
    const made = await cutIn(FLAT, [file], { size, format }, context)
    if (made === null) throw new Fault('missing', 'No subject stands out from a background of one colour.')
    return made
  },
})
