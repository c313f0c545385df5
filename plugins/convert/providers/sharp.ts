import { Fault, provider } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { pictureFormats, pictureMake } from '../../picture/contract.js'
import { convertVendors } from '../contract.js'
import { ofSource } from '../engines/failure.js'
import { makes } from '../pairs/pairs.js'
import { SHARP } from '../pairs/sharp.js'
import { resultOf } from '../result.js'

/** Formats that have no transparency: it becomes white, as on paper. */
const OPAQUE = ['jpeg']
const MOVING = ['gif', 'webp']

export const sharp = provider(convertVendors, {
  vendor,
  uses: [pictureMake],
  rank: 16,
  serves: ({ from, to }) => makes(SHARP, from, to),
  run: async ({ file, from, to }, ctx) => {
    const format = pictureFormats.find((each) => each === to)
    if (format === undefined) throw new Fault('invalid', `sharp writes no ${to} files here.`)
    const { file: made } = await ofSource(
      ctx.call(pictureMake, {
        file,
        format,
        animated: MOVING.includes(from) && MOVING.includes(to),
        steps: OPAQUE.includes(to) ? [{ op: 'flatten', background: '#ffffff' }] : [],
        quality: to === 'jpeg' ? 90 : null,
      }),
    )
    return await resultOf(ctx, { files: [made], to })
  },
})
