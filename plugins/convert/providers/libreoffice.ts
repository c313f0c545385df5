import { provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { libreoffice as vendor } from '../../_vendors/libreoffice.js'
import { officeConvert } from '../../office/contract.js'
import { pictureMake } from '../../picture/contract.js'
import { convertVendors } from '../contract.js'
import { ofSource } from '../engines/failure.js'
import { LIBREOFFICE } from '../pairs/libreoffice.js'
import { makes } from '../pairs/pairs.js'
import { leftOut, resultOf } from '../result.js'

/** Pictures that may have an orientation (EXIF), which LibreOffice ignores, or several frames, of which it would take the first. */
const TURNED: readonly string[] = ['jpeg', 'png', 'tiff', 'gif']

export const libreoffice = provider(convertVendors, {
  vendor,
  uses: [officeConvert],
  rank: 10,
  serves: ({ from, to }) => makes(LIBREOFFICE, from, to),
  run: async ({ file, from, to }, ctx) => {
    const turned = TURNED.includes(from) ? await upright(file, ctx) : null
    const { file: made } = await ofSource(ctx.call(officeConvert, turned === null ? { file, from, to } : { file: turned, from: 'png', to }))
    return await resultOf(ctx, { source: { file, from }, files: [made], to })
  },
})

async function upright(file: ScratchFile, ctx: ProviderContext): Promise<ScratchFile> {
  const { file: turned, pages } = await ofSource(ctx.call(pictureMake, { file, format: 'png', keep_metadata: true }))
  if (pages > 1) ctx.note(leftOut(pages, 'first'))
  return turned
}
