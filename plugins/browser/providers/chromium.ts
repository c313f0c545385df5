import { provider, resource } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserRender } from '../contract.js'
import type { Settled } from '../visit.js'
import { settings } from '../settings.js'

/** The renderer; loaded with the first page. */
const work = () => import('../rendering.js')

/** The browsers of the gateway; the first starts with the first page. */
export const browsers = resource({
  id: 'browser.chromium',
  settings,
  open: async (host) => {
    const { openBrowsers, ordinary } = await work()
    return await openBrowsers(host, { programs: ['chromium-headless-shell', 'chromium'], options: ordinary(host.settings.heap) })
  },
  close: (pool) => pool.close(),
})

export const chromium = provider(browserRender, {
  vendor,
  settings,
  run: async (input, context) => {
    const { ownFile, pictureFiles, untilLoaded, visit } = await work()
    const pool = await context.use(browsers)
    const file = await ownFile(input.url, context)
    const assertPublic = (url: string) => context.assertPublic(url)
    const common = { signal: context.signal, files: pictureFiles(context), file, assertPublic }
    // With a selector, the page defines when it is ready.
    const waits = input.wait_for === null && file === null
    const options = waits ? { ...common, settled: (page: Settled) => untilLoaded(page, input.url, context) } : common
    return await pool.run((browser, slot) => visit(browser, input, { ...options, slot }), context)
  },
})
