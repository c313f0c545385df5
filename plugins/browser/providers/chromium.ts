import { provider, resource } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserRender } from '../contract.js'
import { ordinary } from '../launch.js'
import { openBrowsers } from '../open-browsers.js'
import { pictureFiles } from '../pictures/files.js'
import { ownFile } from '../own-file.js'
import { settings } from '../settings.js'
import { visit } from '../visit.js'

/** The browsers of the gateway; the first is started by the first page. */
export const browsers = resource({
  id: 'browser.chromium',
  settings,
  open: (host) => openBrowsers(host, { programs: ['chromium-headless-shell', 'chromium'], options: ordinary(host.settings.heap) }),
  close: (pool) => pool.close(),
})

export const chromium = provider(browserRender, {
  vendor,
  settings,
  run: async (input, context) => {
    const pool = await context.use(browsers)
    const file = await ownFile(input.url, context)
    const assertPublic = (url: string) => context.assertPublic(url)
    const options = { signal: context.signal, files: pictureFiles(context), file, assertPublic }
    return await pool.run((browser, slot) => visit(browser, input, { ...options, slot }), context)
  },
})
