import { Fault, provider } from '../../../core/sdk/index.js'
import { sharp as vendor } from '../../_vendors/sharp.js'
import { picturePrint } from '../contract.js'
import { inSandbox } from '../in-sandbox.js'
import { LIMITS } from '../limits.js'
import type { Printed } from '../parse/print.js'

const PRINT = new URL('../parse/print.js', import.meta.url)

export const sharp = provider(picturePrint, {
  vendor,
  rank: 10,
  run: async ({ file: source }, context) => {
    const work = { module: PRINT, files: [source], args: {}, seconds: LIMITS.printedSeconds }
    const { result, file } = await inSandbox<Printed>(context, work)
    if (file === null) throw new Fault('missing', 'The pages could not be made.')
    return { file, ...result }
  },
})
