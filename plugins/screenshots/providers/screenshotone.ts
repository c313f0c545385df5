import { Fault, provider } from '../../../core/sdk/index.js'
import { hostStatus, screenshotone as vendor } from '../../_vendors/screenshotone.js'
import { MOST_HEIGHT, QUALITY } from '../../browser/contract.js'
import { answer, fileOf } from '../answer.js'
import { capture, type CaptureOutput } from '../contract.js'
import { statusRemark } from '../page-status.js'
import { REMOTE_MS, REMOTE_PAGE_S } from '../times.js'

/** Seconds for rendering a page again because of its status, after it has already answered. */
const SECOND_PAGE_S = 12
/** With less time left it is not rendered again. */
const SECOND_TRY_MS = 14_000

export const screenshotone = provider(capture, {
  vendor,
  rank: 30,
  timeoutMs: REMOTE_MS,
  run: async (input, context) => {
    await context.assertPublic(input.url)
    const { url, width, height, format, full_page } = input
    const take = async (pageSeconds: number, anyStatus: boolean): Promise<CaptureOutput> => {
      const { file } = await context.api.file(
        {
          method: 'POST',
          path: '/take',
          json: {
            url,
            format,
            viewport_width: width,
            viewport_height: height,
            full_page,
            ...(full_page ? { full_page_max_height: MOST_HEIGHT } : {}),
            ...(format === 'jpeg' || format === 'webp' ? { image_quality: QUALITY } : {}),
            block_cookie_banners: true,
            block_chats: true,
            ignore_host_errors: anyStatus,
            timeout: pageSeconds,
          },
        },
        fileOf(input),
      )
      context.cost(1, 'credits')
      return await answer(file, input, context)
    }
    try {
      return await take(REMOTE_PAGE_S, false)
    } catch (error) {
      // Only a refused page is reported by its status; an error page is captured.
      const status = Fault.is(error) ? hostStatus(error) : null
      if (status === null || context.timeLeft() < SECOND_TRY_MS) throw error
      const remark = statusRemark(status)
      const picture = await take(SECOND_PAGE_S, true)
      if (remark !== null) context.note(remark)
      return picture
    }
  },
})
