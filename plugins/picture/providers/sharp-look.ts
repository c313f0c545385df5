import { provider } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { pictureLook, type Look } from '../contract.js'
import { inSandbox } from '../in-sandbox.js'

const LOOK = new URL('../parse/look.js', import.meta.url)

export const sharp = provider(pictureLook, {
  vendor,
  rank: 10,
  run: async (input, context) => (await inSandbox<Look>(context, { module: LOOK, files: [input.file], args: input })).result,
})
