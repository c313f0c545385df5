import { provider } from '../../../core/sdk/index.js'
import { apiflash as vendor } from '../../_vendors/apiflash.js'
import { QUALITY } from '../../browser/contract.js'
import { answer, fileOf } from '../answer.js'
import { capture } from '../contract.js'
import { REMOTE_MS, REMOTE_PAGE_S } from '../times.js'

export const apiflash = provider(capture, {
  vendor,
  rank: 50,
  timeoutMs: REMOTE_MS,
  serves: ({ format }) => format !== 'pdf',
  run: async (input, context) => {
    await context.assertPublic(input.url)
    const { url, width, height, format, full_page } = input
    const { file } = await context.api.file(
      {
        path: '/urltoimage',
        query: {
          url,
          format,
          width,
          height,
          full_page,
          ...(full_page ? { scroll_page: true } : {}),
          ...(format === 'png' ? {} : { quality: QUALITY }),
          wait_until_timeout: REMOTE_PAGE_S,
          no_cookie_banners: true,
          fresh: true,
        },
      },
      fileOf(input),
    )
    return await answer(file, input, context)
  },
})
