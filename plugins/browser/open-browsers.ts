import type { ResourceHost, Static } from '../../core/sdk/index.js'
import { launch, prepare, type LaunchSandbox, type LaunchOptions } from './launch.js'
import { BrowserPool } from './pool.js'
import type { settings } from './settings.js'

interface BrowsersOptions {
  /** Programs of which the first that is installed is started. */
  readonly programs: readonly string[]
  readonly options: LaunchOptions
}

/** A pool of browsers of one sort, each slot with a sandbox of its own. Rejects at once without a browser or a sandbox. */
export async function openBrowsers(
  host: ResourceHost<Static<typeof settings>>,
  { programs, options }: BrowsersOptions,
): Promise<BrowserPool> {
  const sandboxes = new Map([[0, Promise.resolve(await prepare(host, programs))]])
  const sandboxOf = (slot: number): Promise<LaunchSandbox> => {
    const known = sandboxes.get(slot)
    if (known !== undefined) return known
    const made = prepare(host, programs)
    sandboxes.set(slot, made)
    made.catch(() => sandboxes.delete(slot))
    return made
  }
  const { pages, browsers, uses, lifetime, idle } = host.settings
  return new BrowserPool(
    async (count, slot) => launch(await sandboxOf(slot), count, options),
    { pages, browsers, uses, lifetimeMs: lifetime * 1000, idleMs: idle * 1000 },
    (message, fields) => host.log(message, fields),
  )
}
