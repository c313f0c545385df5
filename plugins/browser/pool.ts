import type { Browser } from 'playwright-core'
import { Fault, type CallerNames } from '../../core/sdk/index.js'
import type { Started } from './launch.js'
import { DIED, Member, type Log } from './member.js'
import { SharedBrowsers, type SharedSettings } from './shared-browsers.js'
import { PagePlace, type PageSlot } from './page-place.js'
import { FairQueue } from '../_shared/fair-queue.js'
import { Suspects } from './suspects.js'

export interface PoolSettings extends SharedSettings {
  readonly pages: number
}

/** The call that a page belongs to. */
export interface PageCall {
  readonly caller: CallerNames
  readonly signal: AbortSignal
  /** Milliseconds until the call's deadline. */
  timeLeft(): number
}

/** Starts the browser of this number. The first slots are for shared browsers; no slot is used by two browsers at once. */
type Start = (number: number, slot: number) => Promise<Started>

type Work<R> = (browser: Browser, slot: PageSlot) => Promise<R>

/** Waiting calls allowed per account, for each page that may be open. */
const WAITING_PER_PAGE = 8
/** Accounts whose calls may fill the waiting list. */
const WAITING_ACCOUNTS = 4
/** Places that one account cannot take, reserved for pages of another. */
const RESERVED = 1
/** Single-page browsers that one account may have at once, beside the shared ones. */
const MOST_SLOTS = 4
/** With less time left a page is not opened again, in milliseconds. */
const LEAST_MS = 3_000

/**
 * Pages in shared browsers, with a limit per account and one place reserved for another account. Pages open in a
 * browser that ended or stopped responding are opened again in a browser each, so that the faulty page ends only its
 * own. Pages of callers with such failures are not opened beside others for a while.
 */
export class BrowserPool {
  readonly #start: Start
  readonly #log: Log
  readonly #members = new Set<Member>()
  readonly #opening = new Set<Promise<Member>>()
  readonly #suspects = new Suspects()
  readonly #shared: SharedBrowsers
  readonly #pages: FairQueue
  readonly #apart: FairQueue
  readonly #isolated: FairQueue
  readonly #slots: number[]
  #started = 0
  #closed = false

  constructor(start: Start, settings: PoolSettings, log: Log = () => undefined) {
    const { pages, browsers } = settings
    const perCaller = Math.min(pages, MOST_SLOTS)
    const slots = perCaller + RESERVED
    const isolated = Math.ceil(slots / 2)
    this.#start = start
    this.#log = log
    this.#slots = Array.from({ length: slots }, (_, at) => at + browsers)
    this.#shared = new SharedBrowsers((slot, crowded) => this.#open(slot, crowded), settings)
    const full = 'too many pages wait for the browser'
    const waitingPerCaller = pages * WAITING_PER_PAGE
    const late = 'the browser had no free page in time'
    const waits = { waitingPerCaller, waiting: waitingPerCaller * WAITING_ACCOUNTS, full, late }
    this.#pages = new FairQueue({ places: pages + RESERVED, perCaller: pages, ...waits })
    this.#apart = new FairQueue({ places: slots, perCaller, ...waits })
    this.#isolated = new FairQueue({
      places: isolated,
      perCaller: 1,
      waiting: Math.max(1, isolated - 1),
      waitingPerCaller: 1,
      late,
      full: 'pages of this caller ended browsers: for some minutes they are opened one at a time, and too many wait',
    })
  }

  /** Browsers started so far. */
  get started(): number {
    return this.#started
  }

  /**
   * Runs work on a shared browser and, when that browser ends meanwhile, once more on one of its own. Throws a `busy`
   * Fault when too many wait or too little time is left to retry, a costly `blocked` one when the page also ended its
   * own browser.
   */
  async run<R>(work: Work<R>, call: PageCall): Promise<R> {
    const trust = this.#suspects.trust(call.caller)
    const first = trust.level === 'shared' ? await this.#among(work, call) : DIED
    if (first !== DIED) return first
    try {
      const outcome = trust.level === 'isolated' ? await this.#isolate(trust.name, work, call) : await this.#alone(work, call)
      if (outcome !== DIED) return outcome
      this.#log('a page ended the browser it had for itself', { trust: trust.level })
      throw new Fault('blocked', 'the page ended the browser', { costly: true })
    } catch (error) {
      // A page that exhausted its own time or memory is likely to have ended the browser before; one that only waited
      // for its host is not.
      if (Fault.is(error) && error.costly && error.kind === 'blocked' && error.obstacle !== 'silent')
        this.#suspects.note(call.caller, trust)
      throw error
    }
  }

  /** Ends every browser and refuses further work. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#opening].map((opening) => opening.catch(() => undefined)))
    await Promise.all([...this.#members].map((member) => member.end()))
  }

  async #among<R>(work: Work<R>, call: PageCall): Promise<R | typeof DIED> {
    const { caller, signal } = call
    const place = await PagePlace.take(this.#pages, caller.account, signal)
    let leave = (): void => place.leave()
    let rest: Promise<void> | null = null
    let outcome: R | typeof DIED
    try {
      const shared = await this.#shared.take(caller.account)
      leave = () => {
        shared.leave()
        place.leave()
      }
      const slot: PageSlot = {
        fresh: shared.member.fresh,
        afterwards: (ends) => {
          rest = ends
        },
        releaseWhile: (waited) => place.releaseWhile(waited),
      }
      outcome = await shared.member.run((browser) => work(browser, slot))
    } finally {
      leaveAfter(rest, leave)
    }
    if (outcome === DIED && call.timeLeft() < LEAST_MS)
      throw new Fault('busy', 'the browser ended under this page and others, and too little time is left to open it again')
    return outcome
  }

  async #isolate<R>(name: string, work: Work<R>, call: PageCall): Promise<R | typeof DIED> {
    const leave = await this.#isolated.take(name, call.signal)
    try {
      return await this.#alone(work, call)
    } finally {
      leave()
    }
  }

  /** Runs work on a new browser of its own, which is ended in the background afterwards. */
  async #alone<R>(work: Work<R>, { caller, signal }: PageCall): Promise<R | typeof DIED> {
    const leave = await this.#apart.take(caller.account, signal)
    const slot = this.#slots.pop() ?? 1
    const giveBack = (): void => {
      this.#slots.push(slot)
      leave()
    }
    let member: Member | null = null
    try {
      member = await this.#open(slot)
      return await member.run((browser) => work(browser, ALONE))
    } finally {
      if (member === null) giveBack()
      else void member.end().finally(giveBack)
    }
  }

  #open(slot: number, crowded = (): boolean => false): Promise<Member> {
    const opening = this.#opened(slot, crowded).finally(() => this.#opening.delete(opening))
    this.#opening.add(opening)
    return opening
  }

  async #opened(slot: number, crowded: () => boolean): Promise<Member> {
    if (this.#closed) throw new Fault('broken', 'the browser is being stopped')
    this.#started += 1
    const started = await this.#start(this.#started, slot)
    const member: Member = new Member(started, this.#log, { onEnd: () => this.#members.delete(member), crowded })
    this.#members.add(member)
    if (!this.#closed) return member
    await member.end()
    throw new Fault('broken', 'the browser is being stopped')
  }
}

/** A browser of its own ends with its page. */
const ALONE: PageSlot = { fresh: null, afterwards: () => undefined, releaseWhile: (work) => work() }

function leaveAfter(rest: Promise<void> | null, leave: () => void): void {
  if (rest === null) leave()
  else void rest.then(leave)
}
