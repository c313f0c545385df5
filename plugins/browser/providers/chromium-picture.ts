import { provider } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserPicture } from '../contract.js'
import { settings } from '../settings.js'
import { browsers } from './chromium.js'

export const chromiumPicture = provider(browserPicture, {
  vendor,
  settings,
  run: async (input, context) => {
    const { ownFile, pageOf, pictureFiles, visitPicture } = await import('../rendering.js')
    const pool = await context.use(browsers)
    const file = input.html === undefined ? await ownFile(input.url, context) : await pageOf(input.html, context)
    const assertPublic = (url: string) => context.assertPublic(url)
    const options = { signal: context.signal, files: pictureFiles(context), file, assertPublic }
    return await pool.run((browser, slot) => visitPicture(browser, input, { ...options, slot }), context)
  },
})
