import { Fault, provider, type VendorFile } from '../../../core/sdk/index.js'
import { hostStatus, screenshotone as vendor } from '../../_vendors/screenshotone.js'
import { answerFile, fileOf } from '../answer.js'
import { capture } from '../contract.js'
import { MOST_HEIGHT, QUALITY } from '../limits.js'
import { statusRemark } from '../page-status.js'
import { REMOTE_MS, REMOTE_PAGE_S } from '../times.js'

export const screenshotone = provider(capture, {
  vendor,
  rank: 30,
  timeoutMs: REMOTE_MS,
  run: async (input, context) => {
    await context.assertPublic(input.url)
    const { url, width, height, format, full_page } = input
    const take = (anyStatus: boolean): Promise<VendorFile> =>
      context.api.file(
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
            timeout: REMOTE_PAGE_S,
          },
        },
        fileOf(input),
      )
    try {
      return await answerFile(await take(false), input, context)
    } catch (error) {
      // Only a page that is refused is named with its status; an error page is pictured all the same.
      const status = Fault.is(error) ? hostStatus(error) : null
      if (status === null) throw error
      const remark = statusRemark(status)
      const picture = await answerFile(await take(true), input, context)
      if (remark !== null) context.note(remark)
      return picture
    }
  },
})
