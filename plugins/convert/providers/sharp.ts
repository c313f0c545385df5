import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { pictureFormats, pictureMake, picturePrint } from '../../picture/contract.js'
import { convertVendors } from '../contract.js'
import { ofSource } from '../engines/failure.js'
import { makes } from '../pairs/pairs.js'
import { SHARP } from '../pairs/sharp.js'
import { leftOut, resultOf } from '../result.js'

const FIRST_OF_ANIMATION = 'The PNG file is an animation; the result is its first picture.'
/** The chunk of an animated PNG file, before its pixels (PNG 3rd edition, 11.3.6.1). */
const ANIMATION = 'acTL'
const HEAD = 64 * 1024

/** Formats without transparency: it becomes white. */
const OPAQUE = ['jpeg']
const MOVING = ['gif', 'webp']

export const sharp = provider(convertVendors, {
  vendor,
  uses: [pictureMake, picturePrint],
  rank: 6,
  serves: ({ from, to }) => makes(SHARP, from, to),
  run: async ({ file, from, to }, ctx) => {
    if (to === 'pdf') {
      const { file: printed } = await ofSource(ctx.call(picturePrint, { file }))
      return await resultOf(ctx, { source: { file, from }, files: [printed], to })
    }
    const format = pictureFormats.find((each) => each === to)
    if (format === undefined) throw new Fault('invalid', `sharp writes no ${to} files here.`)
    const {
      file: made,
      frames,
      pages,
    } = await ofSource(
      ctx.call(pictureMake, {
        file,
        format,
        animated: MOVING.includes(from) && MOVING.includes(to),
        steps: OPAQUE.includes(to) ? [{ op: 'flatten', background: '#ffffff' }] : [],
        quality: to === 'jpeg' ? 90 : null,
      }),
    )
    if (pages > frames && (from === 'tiff' || to === 'tiff')) {
      await ctx.scratch.remove(made)
      throw new Fault('missing', `The file holds ${String(pages)} pictures, of which sharp would take one.`)
    }
    if (pages > frames) ctx.note(leftOut(pages, 'first'))
    else if (from === 'png' && (await moves(ctx, file))) ctx.note(FIRST_OF_ANIMATION)
    return await resultOf(ctx, { source: { file, from }, files: [made], to })
  },
})

async function moves(ctx: ProviderContext, file: ScratchFile): Promise<boolean> {
  return Buffer.from(await ctx.scratch.head(file, HEAD)).includes(ANIMATION)
}
