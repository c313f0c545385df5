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
    if (made === null) throw new Fault('missing', 'The background is not of one colour, or the subject is not apart from it.')
    return made
  },
})
