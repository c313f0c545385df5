import { Fault, provider } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { pictureMake } from '../contract.js'
import { inSandbox } from '../in-sandbox.js'
import { contentTypeOf } from '../parse/content-type.js'
import type { MakeArgs, Made } from '../parse/make.js'

const MAKE = new URL('../parse/make.js', import.meta.url)

export const sharp = provider(pictureMake, {
  vendor,
  rank: 10,
  run: async (input, context) => {
    const named = [input.file, ...input.steps.flatMap((step) => (step.op === 'composite' ? [step.file] : []))]
    const files = [...new Map(named.map((file) => [file.id, file])).values()]
    const args: MakeArgs = { input, ids: files.map(({ id }) => id) }
    const { result, file } = await inSandbox<Made>(context, { module: MAKE, files, args })
    if (file === null) throw new Fault('missing', 'The picture could not be made.')
    return { file, content_type: contentTypeOf(input.format), ...result }
  },
})
