import type { Browser } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'
import type { Started } from './launch.js'

export interface PoolSettings {
  readonly pages: number
  readonly uses: number
  readonly lifetimeMs: number
  readonly idleMs: number
}

interface Member {
  readonly started: Started
  readonly since: number
  /** Settled when the browser is gone. */
  readonly died: Promise<typeof DIED>
  uses: number
  active: number
  retired: boolean
}

/** What an attempt answers when its browser is gone. */
const DIED: unique symbol = Symbol('the browser died')
const PULSE_MS = 800
const WAITING_PER_PAGE = 8

/**
 * One browser at a time, shared by at most so many pages. It is replaced after so many uses, after its lifetime, when it
 * disconnects and when it stops answering; one that nobody uses is closed.
 */
export class BrowserPool {
  readonly #start: (number: number) => Promise<Started>
  readonly #settings: PoolSettings
  readonly #log: (message: string, fields?: Readonly<Record<string, unknown>>) => void
  #current: Promise<Member> | null = null
  readonly #members = new Set<Member>()
  #active = 0
  readonly #queue: (() => void)[] = []
  #started = 0
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    start: (number: number) => Promise<Started>,
    settings: PoolSettings,
    log: (message: string, fields?: Readonly<Record<string, unknown>>) => void = () => undefined,
  ) {
    this.#start = start
    this.#settings = settings
    this.#log = log
  }

  /** Browsers started so far. */
  get started(): number {
    return this.#started
  }

  /**
   * Runs work on a browser, and once more on a new one when the browser itself died under it. Throws a `busy` Fault when
   * too many wait, a `blocked` one when the work ends the browser twice.
   */
  async run<R>(work: (browser: Browser) => Promise<R>, signal: AbortSignal): Promise<R> {
    await this.#slot(signal)
    try {
      const first = await this.#attempt(work)
      if (first !== DIED) return first
      const second = await this.#attempt(work)
      if (second !== DIED) return second
      throw new Fault('blocked', 'the page ended the browser')
    } finally {
      this.#active -= 1
      this.#queue.shift()?.()
      this.#watchIdle()
    }
  }

  /** Ends every browser and refuses further work. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idle !== null) clearTimeout(this.#idle)
    await this.#current?.catch(() => undefined)
    await Promise.all([...this.#members].map((member) => this.#end(member)))
  }

  async #attempt<R>(work: (browser: Browser) => Promise<R>): Promise<R | typeof DIED> {
    const member = await this.#member()
    member.uses += 1
    member.active += 1
    const done = work(member.started.browser)
    try {
      const outcome = await Promise.race([member.died, done])
      if (outcome === DIED) await done.catch(() => undefined)
      return outcome
    } catch (error) {
      if (!member.started.browser.isConnected() && !Fault.is(error)) return DIED
      throw error
    } finally {
      member.active -= 1
      if (member.retired && member.active === 0) await this.#end(member)
    }
  }

  async #member(): Promise<Member> {
    if (this.#closed) throw new Fault('broken', 'the browser is being stopped')
    const current = this.#current
    if (current !== null) {
      const member = await current
      if (!member.retired && member.started.browser.isConnected() && !this.#worn(member)) return member
      if (this.#current === current) this.#retire(member)
      return this.#member()
    }
    this.#current = this.#open()
    return this.#current
  }

  #worn(member: Member): boolean {
    return member.uses >= this.#settings.uses || Date.now() - member.since >= this.#settings.lifetimeMs
  }

  #retire(member: Member): void {
    this.#current = null
    member.retired = true
    if (member.active === 0) void this.#end(member)
  }

  async #open(): Promise<Member> {
    this.#started += 1
    try {
      const started = await this.#start(this.#started)
      const died = new Promise<typeof DIED>((resolve) => started.browser.once('disconnected', () => resolve(DIED)))
      const member: Member = { started, since: Date.now(), died, uses: 0, active: 0, retired: false }
      this.#members.add(member)
      void this.#pulse(member)
      return member
    } catch (error) {
      this.#current = null
      throw error
    }
  }

  /** Asks the browser for a sign of life again and again; one that gives none in time is killed, which frees its pages at once. */
  async #pulse(member: Member): Promise<void> {
    const { browser } = member.started
    const over = member.died.then(() => false)
    try {
      const session = await browser.newBrowserCDPSession()
      while (browser.isConnected()) {
        const answered = await Promise.race([session.send('Browser.getVersion').then(() => true), after(PULSE_MS).then(() => false), over])
        if (!answered && browser.isConnected()) {
          this.#log('the browser stopped answering and is replaced')
          member.started.kill()
          return
        }
        await Promise.race([after(PULSE_MS), over])
      }
    } catch (error) {
      if (browser.isConnected()) {
        this.#log('the browser could not be watched and is replaced', { error: String(error) })
        member.started.kill()
      }
    }
  }

  async #end(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return
    const closing = member.started.browser
      .close()
      .catch((error: unknown) => this.#log('the browser did not close', { error: String(error) }))
    await Promise.race([closing, after(2000)])
    member.started.kill()
  }

  async #slot(signal: AbortSignal): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = null
    if (this.#active < this.#settings.pages) {
      this.#active += 1
      return
    }
    if (this.#queue.length >= this.#settings.pages * WAITING_PER_PAGE)
      throw new Fault('busy', 'too many pages wait for the browser', { retryAfterSeconds: 5 })
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        this.#active += 1
        resolve()
      }
      const leave = (): void => {
        const place = this.#queue.indexOf(enter)
        if (place !== -1) this.#queue.splice(place, 1)
        reject(new Fault('busy', 'the browser had no free page in time'))
      }
      if (signal.aborted) return leave()
      this.#queue.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #watchIdle(): void {
    if (this.#active > 0 || this.#closed || this.#idle !== null) return
    this.#idle = setTimeout(() => {
      this.#idle = null
      const current = this.#current
      if (current !== null && this.#active === 0)
        void current.then(
          (member) => this.#retire(member),
          () => undefined,
        )
    }, this.#settings.idleMs)
    this.#idle.unref()
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
