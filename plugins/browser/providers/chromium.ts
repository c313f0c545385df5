import { provider, resource } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserRender } from '../contract.js'
import { isUnreached } from '../faults.js'
import { launch, prepare, type Ground } from '../launch.js'
import { BrowserPool } from '../pool.js'
import { visit } from '../visit.js'

/** The browsers of the gateway; the first is started by the first page. */
export const browsers = resource({
  id: 'browser.chromium',
  open: async (host) => {
    // Found out at once: without a browser or sandbox nothing opens.
    const grounds = new Map([[0, Promise.resolve(await prepare(host))]])
    const groundOf = (lane: number): Promise<Ground> => {
      const known = grounds.get(lane)
      if (known !== undefined) return known
      const made = prepare(host)
      grounds.set(lane, made)
      made.catch(() => grounds.delete(lane))
      return made
    }
    const number = (name: string, fallback: number): number => {
      const value = host.setting(name)
      return typeof value === 'number' ? value : fallback
    }
    return new BrowserPool(
      async (count, lane) => launch(await groundOf(lane), count, number('heap', 512)),
      {
        pages: number('pages', 4),
        browsers: number('browsers', 2),
        uses: number('uses', 50),
        lifetimeMs: number('lifetime', 600) * 1000,
        idleMs: number('idle', 120) * 1000,
      },
      (message, fields) => host.log(message, fields),
    )
  },
  close: (pool) => pool.close(),
})

export const chromium = provider(browserRender, {
  vendor,
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
