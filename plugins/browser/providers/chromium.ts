import { provider, resource } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserRender } from '../contract.js'
import { isUnreached } from '../faults.js'
import { ordinary } from '../launch.js'
import { openBrowsers } from '../open-browsers.js'
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
    try {
      return await pool.run((browser) => visit(browser, input, context.signal), context)
    } catch (error) {
      if (isUnreached(error)) await context.web.get(input.url, { method: 'HEAD', timeoutMs: 5000 })
      throw error
    }
  },
})
