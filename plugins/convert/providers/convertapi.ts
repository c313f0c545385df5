import { Fault, nullable, provider, Type, type ScratchFile } from '../../../core/sdk/index.js'
import { convertapi as vendor } from '../../_vendors/convertapi.js'
import { convertVendors } from '../contract.js'
import { extensionOf } from '../formats/find.js'
import { CONVERTAPI } from '../pairs/convertapi.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

const Reply = Type.Object({
  ConversionCost: Type.Optional(nullable(Type.Number())),
  Files: Type.Array(Type.Object({ Url: Type.String() })),
})
/** Most files fetched for one conversion. */
const MOST_FILES = 200

export const convertapi = provider(convertVendors, {
  vendor,
  rank: 44,
  serves: ({ from, to }) => makes(CONVERTAPI, from, to),
  run: async ({ file, from, to, name }, ctx) => {
    ctx.progress('converting', to)
    const [source, target] = [extensionOf(from), extensionOf(to)]
    const { ConversionCost, Files } = await ctx.api.json(
      {
        method: 'POST',
        path: `/convert/${source}/to/${target}`,
        multipart: [
          { name: 'StoreFile', data: 'true' },
          { name: 'File', filename: name, data: file },
        ],
      },
      Reply,
    )
    const cost = Math.max(0, ConversionCost ?? 0)
    ctx.cost(cost, 'conversions')
    if (Files.length > MOST_FILES) throw new Fault('broken', `ConvertAPI made more than ${MOST_FILES} files.`)
    const files: ScratchFile[] = []
    for (const { Url } of Files) files.push((await ctx.api.download(Url)).file)
    return await resultOf(ctx, { source: { file, from }, files, to, cost, by: 'vendor' })
  },
})
