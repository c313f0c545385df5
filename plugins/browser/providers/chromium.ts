import { provider, resource } from '../../../core/sdk/index.js'
import { chromium as vendor } from '../../_vendors/chromium.js'
import { browserRender } from '../contract.js'
import { launch, prepare, type Ground } from '../launch.js'
import { BrowserPool } from '../pool.js'
import { withReason } from '../refusal-reason.js'
import { settings } from '../settings.js'
import { visit } from '../visit.js'

/** The browsers of the gateway; the first is started by the first page. */
export const browsers = resource({
  id: 'browser.chromium',
  settings,
  open: async (host) => {
    // Found out at once: without a browser or sandbox nothing opens.
    const grounds = new Map([[0, Promise.resolve(await prepare(host))]])
    const groundOf = (slot: number): Promise<Ground> => {
      const known = grounds.get(slot)
      if (known !== undefined) return known
      const made = prepare(host)
      grounds.set(slot, made)
      made.catch(() => grounds.delete(slot))
      return made
    }
    const { pages, browsers, uses, lifetime, idle, heap } = host.settings
    return new BrowserPool(
      async (count, slot) => launch(await groundOf(slot), count, heap),
      { pages, browsers, uses, lifetimeMs: lifetime * 1000, idleMs: idle * 1000 },
      (message, fields) => host.log(message, fields),
    )
  },
  close: (pool) => pool.close(),
})

export const chromium = provider(browserRender, {
  vendor,
  settings,
  run: async (input, context) => {
    const pool = await context.use(browsers)
    return withReason(input.url, context, () => pool.run((browser) => visit(browser, input, context.signal), context))
  },
})
