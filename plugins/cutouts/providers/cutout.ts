import { Fault, provider } from '../../../core/sdk/index.js'
import { cutout as vendor } from '../../_vendors/cutout.js'
import { cutoutVendors } from '../contract.js'
import { MASK_SIDE, u2net } from '../engine.js'
import { cutIn } from '../finished.js'

const SHRINK = new URL('../parse/shrink.js', import.meta.url)
const APPLY = new URL('../parse/apply.js', import.meta.url)
const ENGINE_MS = 40_000

/** The model gets a downscaled picture; its mask is then fitted to the edges of the full one. An undecided mask is `missing`. */
export const cutout = provider(cutoutVendors, {
  vendor,
  rank: 60,
  timeoutMs: 55_000,
  run: async ({ file, size, format }, context) => {
    const engine = await context.use(u2net)
    const small = await context.parse<string>(SHRINK, file, { args: { side: MASK_SIDE } })
    const { bytes } = await engine.ask(context, { input: null, bytes: Buffer.from(small, 'base64'), timeoutMs: ENGINE_MS })
    const mask = await context.scratch.write(bytes)
    const made = await cutIn(APPLY, [file, mask], { size, format, side: MASK_SIDE }, context)
    if (made === null) throw new Fault('missing', 'No subject stands out clearly from the rest of the picture.')
    return made
  },
})
