import type { Browser } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'
import { isCrash } from './faults.js'
import { FreshPages } from './fresh-pages.js'
import type { Started } from './launch.js'
import { paceRenderers } from './pace.js'
import { watchPulse } from './pulse.js'

export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void

/** Returned for work whose browser ended meanwhile. */
export const DIED: unique symbol = Symbol('the browser died')

const CLOSE_MS = 2_000

/** One monitored browser of a pool: it is killed when it stops responding, which releases its pages at once. */
export class Member {
  readonly since = performance.now()
  readonly #started: Started
  readonly #log: Log
  readonly #died: Promise<typeof DIED>
  readonly #onEnd: () => void
  readonly #crowded: () => boolean
  #end: Promise<void> | null = null
  /** Empty pages of this browser. */
  readonly fresh: FreshPages
  uses = 0
  active = 0
  retired = false

  /** `onEnd` is called when `end` has ended the browser; `crowded` tells whether pages of several accounts are open in it. */
  constructor(started: Started, log: Log, { onEnd, crowded }: { readonly onEnd: () => void; readonly crowded: () => boolean }) {
    this.#started = started
    this.fresh = new FreshPages(started.browser)
    this.#log = log
    this.#onEnd = onEnd
    this.#crowded = crowded
    this.#died = new Promise((resolve) => started.browser.once('disconnected', () => resolve(DIED)))
    void this.#watch()
    void this.#pace()
  }

  get alive(): boolean {
    return this.#started.browser.isConnected()
  }

  /** Runs work on this browser. Returns DIED when the browser ended meanwhile, or when its page crashed beside others. */
  async run<R>(work: (browser: Browser) => Promise<R>): Promise<R | typeof DIED> {
    this.uses += 1
    this.active += 1
    const done = work(this.#started.browser)
    // When the browser ends first, a later rejection of the work must not be unhandled.
    done.catch(() => undefined)
    try {
      return await Promise.race([this.#died, done])
    } catch (error) {
      if (!this.alive && !Fault.is(error)) return DIED
      // When memory runs out, the kernel kills one page's process, not always the one at fault.
      if (isCrash(error) && this.active > 1) return DIED
      throw error
    } finally {
      this.active -= 1
      if (this.retired && this.active === 0) void this.end()
    }
  }

  /** Closes the browser, gracefully within two seconds, else by force. Later calls wait for the first. */
  end(): Promise<void> {
    return (this.#end ??= this.#close())
  }

  async #close(): Promise<void> {
    const closing = this.#started.browser
      .close()
      .catch((error: unknown) => this.#log('the browser did not close', { error: String(error) }))
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    this.#started.kill()
    this.#onEnd()
  }

  async #pace(): Promise<void> {
    const { renderers, signal } = this.#started
    try {
      await paceRenderers({ crowded: this.#crowded, renderers, signal, gone: this.#died })
    } catch (error) {
      this.#log('pages that use much processor time are no longer held back', { error: String(error) })
    }
  }

  async #watch(): Promise<void> {
    const { browser, usage, kill } = this.#started
    try {
      if (await watchPulse({ browser, usage, gone: this.#died })) return
      this.#log('the browser stopped answering and is ended', { pages: this.active })
    } catch (error) {
      if (!this.alive) return
      this.#log('the browser could not be watched and is ended', { error: String(error) })
    }
    kill()
  }
}
