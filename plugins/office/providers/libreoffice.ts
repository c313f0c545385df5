import { provider } from '../../../core/sdk/index.js'
import { libreoffice as vendor } from '../../_vendors/libreoffice.js'
import { officeConvert } from '../contract.js'
import { assertKind, contentTypeOf, filtersOf } from '../formats.js'
import { conversion, failureOf, resultName, soffice, sourceName } from '../soffice.js'

const CONVERT_MS = 120_000
/** Pictures of a page in html are files beside it. */
const MOST_FILES = 200
const RESULT_BYTES = 256 * 1024 * 1024

export const libreoffice = provider(officeConvert, {
  vendor,
  rank: 10,
  run: async ({ file, from, to }, context) => {
    const filters = filtersOf(from, to)
    await assertKind(from, context.scratch.read(file))
    context.progress('converting', to)
    const result = await context.exec('soffice', conversion(from, to, filters), {
      warm: soffice,
      files: [{ name: sourceName(from), data: file }],
      timeoutMs: CONVERT_MS,
      collect: { maxFiles: MOST_FILES, maxBytes: RESULT_BYTES, into: 'scratch' },
    })
    const others = result.scratchFiles.filter(({ name }) => name !== resultName(to))
    await Promise.all(others.map(({ file: other }) => context.scratch.remove(other)))
    const made = result.scratchFiles.find(({ name }) => name === resultName(to))?.file
    if (made === undefined || made.size === 0) throw failureOf(result, from, context.timeLeft())
    return { file: made, content_type: contentTypeOf(to) }
  },
})
