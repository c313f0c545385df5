import { Fault } from '../../core/sdk/index.js'
import { launch, ordinary, prepare, type LaunchSandbox, type LaunchOptions } from '../../plugins/browser/launch.js'
import { BrowserPool, type PoolSettings } from '../../plugins/browser/pool.js'
import type { PictureInput, PictureOutput } from '../../plugins/browser/pictures/contract.js'
import { visitPicture } from '../../plugins/browser/pictures/visit-picture.js'
import { visit, type Visit, type Visited, type VisitOptions } from '../../plugins/browser/visit.js'
import { browserHost, type BrowserHost, type BrowserHostOptions } from './browser-host.js'
import { testPictureFiles } from './picture-files.js'

/** A picture with its bytes. */
export interface TakenPicture extends PictureOutput {
  readonly bytes: Buffer
}

export interface TestBrowser extends BrowserHost {
  readonly pool: BrowserPool
  open(url: string, more?: Partial<Visit>, key?: string): Promise<Visited>
  /** The bytes of a picture that `open` took. */
  bytes(file: Visited['screenshot']): Promise<Buffer>
  /** The fault a page ends with; throws when it ends with none. */
  refused(url: string, more?: Partial<Visit>, key?: string): Promise<Fault>
  picture(url: string, more?: Partial<PictureInput>): Promise<TakenPicture>
}

const SETTINGS: PoolSettings = { pages: 4, browsers: 1, uses: 50, lifetimeMs: 600_000, idleMs: 60_000 }

/** Another sort of browser than the ordinary one. */
export interface BrowserSort {
  readonly programs: readonly string[]
  readonly options: LaunchOptions
  readonly visit: Pick<VisitOptions, 'context' | 'settled'>
}

/** The plugin's own browser on the real sandbox and guard, which lets through to the listed `host:port` alone. */
export async function openBrowser(
  allow: readonly string[],
  settings: Partial<PoolSettings> = {},
  { sort, ...options }: BrowserHostOptions & { readonly sort?: BrowserSort | undefined } = {},
): Promise<TestBrowser> {
  const base = await browserHost(allow, options)
  const sandboxes = new Map<number, Promise<LaunchSandbox>>()
  const sandboxOf = (slot: number): Promise<LaunchSandbox> => {
    const sandbox = sandboxes.get(slot) ?? prepare(base.host, sort?.programs)
    sandboxes.set(slot, sandbox)
    return sandbox
  }
  await sandboxOf(0)
  const pool = new BrowserPool(
    async (number, slot) => launch(await sandboxOf(slot), number, sort?.options ?? ordinary(256)),
    { ...SETTINGS, ...settings },
    (message, fields) => base.host.log(message, fields),
  )
  const { signal } = new AbortController()
  const files = testPictureFiles(base.sandbox)
  const how = { signal, files }
  const callOf = (key: string) => ({ signal, caller: { account: `account of ${key}`, key }, timeLeft: () => 60_000 })
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
    return pool.run((browser, slot) => visit(browser, input, { ...how, slot, ...sort?.visit }), callOf(key))
  }
  return {
    ...base,
    pool,
    open,
    bytes: async (file) => (file === null ? Buffer.alloc(0) : await files.bytes(file)),
    refused: async (url, more, key) => {
      try {
        await open(url, more, key)
      } catch (error) {
        if (Fault.is(error)) return error
        throw error
      }
      throw new Error(`${url} was opened`)
    },
    picture: async (url, more = {}) => {
      const input: PictureInput = { url, timeout_ms: 30_000, width: 800, height: 600, format: 'png', full_page: false, ...more }
      const taken = await pool.run((browser, slot) => visitPicture(browser, input, { ...how, slot }), callOf('key'))
      return { ...taken, bytes: await files.bytes(taken.file) }
    },
    close: async () => {
      await pool.close()
      await files.close()
      await base.close()
    },
  }
}
