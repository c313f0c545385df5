import { Fault } from '../../core/sdk/index.js'
import { launch, ordinary, prepare, type Ground, type LaunchOptions } from '../../plugins/browser/launch.js'
import { BrowserPool, type PoolSettings } from '../../plugins/browser/pool.js'
import { visit, type Visit, type Visited, type VisitOptions } from '../../plugins/browser/visit.js'
import { browserHost, type BrowserHost } from './browser-host.js'

export interface TestBrowser extends BrowserHost {
  readonly pool: BrowserPool
  open(url: string, more?: Partial<Visit>, key?: string): Promise<Visited>
  /** The fault a page ends with; throws when it ends with none. */
  refused(url: string, more?: Partial<Visit>, key?: string): Promise<Fault>
}

const SETTINGS: PoolSettings = { pages: 4, browsers: 1, uses: 50, lifetimeMs: 600_000, idleMs: 60_000 }

/** Another sort of browser than the ordinary one. */
export interface BrowserSort {
  readonly programs: readonly string[]
  readonly options: LaunchOptions
  readonly visit: VisitOptions
}

/** The plugin's own browser on the real sandbox and guard, which lets through to the listed `host:port` alone. */
export async function openBrowser(
  allow: readonly string[],
  settings: Partial<PoolSettings> = {},
  sort?: BrowserSort,
): Promise<TestBrowser> {
  const base = await browserHost(allow)
  const grounds = new Map<number, Promise<Ground>>()
  const groundOf = (slot: number): Promise<Ground> => {
    const ground = grounds.get(slot) ?? prepare(base.host, sort?.programs)
    grounds.set(slot, ground)
    return ground
  }
  await groundOf(0)
  const pool = new BrowserPool(
    async (number, slot) => launch(await groundOf(slot), number, sort?.options ?? ordinary(256)),
    { ...SETTINGS, ...settings },
    (message, fields) => base.host.log(message, fields),
  )
  const signal = new AbortController().signal
  const open = (url: string, more: Partial<Visit> = {}, key = 'key'): Promise<Visited> => {
    const input: Visit = {
      url,
      wait_for: null,
      timeout_ms: 30_000,
      width: 800,
      height: 600,
      full_page: false,
      screenshot: null,
      scroll: false,
      must_match: true,
      ...more,
    }
    return pool.run((browser) => visit(browser, input, signal, sort?.visit), {
      signal,
      caller: { account: `account of ${key}`, key },
      timeLeft: () => 60_000,
    })
  }
  return {
    ...base,
    pool,
    open,
    refused: async (url, more, key) => {
      try {
        await open(url, more, key)
      } catch (error) {
        if (Fault.is(error)) return error
        throw error
      }
      throw new Error(`${url} was opened`)
    },
    close: async () => {
      await pool.close()
      await base.close()
    },
  }
}
