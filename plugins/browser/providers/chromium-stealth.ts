import { provider, resource } from '../../../core/sdk/index.js'
import { chromiumStealth as vendor } from '../../_vendors/chromium-stealth.js'
import { browserStealth } from '../contract.js'
import { openBrowsers } from '../open-browsers.js'
import { pictureFiles } from '../pictures/files.js'
import { ownFile } from '../own-file.js'
import { settings } from '../settings.js'
import { stealth, stealthContext, WINDOW } from '../stealth/stealth-flags.js'
import { PastChecks } from '../stealth/past-checks.js'
import { visit } from '../visit.js'

/** The stealth browsers of the gateway, beside the ordinary ones; the first is started by the first page. */
export const stealthBrowsers = resource({
  id: 'browser.chromium-stealth',
  settings,
  open: (host) => openBrowsers(host, { programs: ['chromium'], options: stealth(host.settings.heap) }),
  close: (pool) => pool.close(),
})

export const chromiumStealth = provider(browserStealth, {
  vendor,
  settings,
  run: async (input, context) => {
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
    const asked = { ...input, ...WINDOW }
    return await pool.run((browser, slot) => visit(browser, asked, { ...options, slot }), context)
  },
})
