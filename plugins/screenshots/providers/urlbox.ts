import { provider, Type } from '../../../core/sdk/index.js'
import { urlbox as vendor } from '../../_vendors/urlbox.js'
import { MOST_HEIGHT, QUALITY } from '../../browser/contract.js'
import { answer, fileOf } from '../answer.js'
import { capture } from '../contract.js'
import { REMOTE_MS, REMOTE_PAGE_S } from '../times.js'

const reply = Type.Object({ renderUrl: Type.String() })

export const urlbox = provider(capture, {
  vendor,
  rank: 40,
  timeoutMs: REMOTE_MS,
  run: async (input, context) => {
    await context.assertPublic(input.url)
    const { url, width, height, format, full_page } = input
    const { renderUrl } = await context.api.json(
      {
        method: 'POST',
        path: '/render/sync',
        json: {
          url,
          format,
          width,
          height,
          full_page,
          ...(full_page ? { max_height: MOST_HEIGHT } : {}),
          ...(format === 'jpeg' || format === 'webp' ? { quality: QUALITY } : {}),
          hide_cookie_banners: true,
          force: true,
          timeout: REMOTE_PAGE_S * 1000,
        },
      },
      reply,
    )
    const { file } = await context.api.download(renderUrl, fileOf(input))
    return await answer(file, input, context)
  },
})
