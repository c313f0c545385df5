import { provider } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { pictureBlank } from '../contract.js'
import { inSandbox } from '../in-sandbox.js'

const BLANK = new URL('../parse/blank.js', import.meta.url)

export const sharp = provider(pictureBlank, {
  vendor,
  rank: 10,
  serves: ({ format }) => format === 'picture',
  run: async ({ file }, context) => {
    const { result } = await inSandbox<boolean>(context, { module: BLANK, files: [file], args: {} })
    return { pages: 1, blank: result ? [1] : [], text: null }
  },
})
