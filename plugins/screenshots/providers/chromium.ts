import { provider } from '../../../core/sdk/index.js'
import { browserPicture } from '../../browser/contract.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { answer } from '../answer.js'
import { capture } from '../contract.js'
import { statusRemark } from '../page-status.js'

/** Leaves time for a report on missing parts, and for another vendor. */
const PAGE_MS = 35_000

export const chromium = provider(capture, {
  vendor,
  uses: [browserPicture],
  rank: 10,
  run: async (input, context) => {
    context.progress('render', input.url)
    const { file, status, notes } = await context.call(browserPicture, { ...input, timeout_ms: PAGE_MS })
    const remark = statusRemark(status)
    for (const note of remark === null ? notes : [remark, ...notes]) context.note(note)
    return await answer(file, input, context)
  },
})
