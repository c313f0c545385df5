import { provider, resource } from '../../../core/sdk/index.js'
import { chromiumStealth as vendor } from '../../_vendors/chromium-stealth.js'
import { browserStealth } from '../contract.js'
import { settings } from '../settings.js'

/** The renderer; loaded with the first page. */
const work = () => import('../rendering.js')

/** The stealth browsers of the gateway, beside the ordinary ones; the first starts with the first page. */
export const stealthBrowsers = resource({
  id: 'browser.chromium-stealth',
  settings,
  open: async (host) => {
    const { openBrowsers, stealth } = await work()
    return await openBrowsers(host, { programs: ['chromium'], options: stealth(host.settings.heap) })
  },
  close: (pool) => pool.close(),
})

export const chromiumStealth = provider(browserStealth, {
  vendor,
  settings,
  run: async (input, context) => {
    const { ownFile, PastChecks, pictureFiles, stealthContext, visit, WINDOW } = await work()
    const pool = await context.use(stealthBrowsers)
    const checks = new PastChecks(input, context)
    const options = {
      signal: context.signal,
      files: pictureFiles(context),
      assertPublic: (url: string) => context.assertPublic(url),
      context: stealthContext(context.settings.stealth_timezone),
      settled: checks.pass,
      file: await ownFile(input.url, context),
    }
    const visitInput = { ...input, ...WINDOW }
    return await pool.run((browser, slot) => visit(browser, visitInput, { ...options, slot }), context)
  },
})
