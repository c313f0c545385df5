import { Fault } from '../../core/sdk/index.js'
import type { Member } from './member.js'

export interface SharedSettings {
  /** Shared browsers at once. */
  readonly browsers: number
  readonly uses: number
  readonly lifetimeMs: number
  readonly idleMs: number
}

/** An account, and when it last opened a page, in monotonic milliseconds. */
interface Visitor {
  readonly account: string
  readonly at: number
}

const NOBODY: Visitor = { account: '', at: -Infinity }

interface Shared {
  readonly slot: number
  readonly opening: Promise<Member>
  /** Open pages by account. */
  readonly pages: Map<string, number>
  /** The last account that opened a page in it, and when. */
  last: Visitor
  idle: NodeJS.Timeout | null
}

interface Taken {
  readonly member: Member
  readonly leave: () => void
}

/** Most browsers tried for a page: a worn-out one, one that ended meanwhile, and new ones. */
const MOST_TRIES = 4
/** An account counts as active for so long after its last page, in milliseconds. */
const RECENT_MS = 60_000

/**
 * Shared browsers: while there are enough, one for each account with open pages, so that a page that ends its browser
 * affects only its own account. An account that comes back within a minute finds its browser again. While several
 * accounts are active, one browser is kept ready for the next. A browser is replaced after a number of uses, after its
 * lifetime and when it disconnects; an idle one is closed.
 */
export class SharedBrowsers {
  readonly #open: (slot: number, crowded: () => boolean) => Promise<Member>
  readonly #settings: SharedSettings
  readonly #all = new Set<Shared>()
  /** The most recent account, and the most recent of all others. */
  #latest = NOBODY
  #other = NOBODY

  /**
   * `open` starts a browser in one of the slots from 0 to `browsers` - 1; `crowded` tells whether pages of several
   * accounts are open in it.
   */
  constructor(open: (slot: number, crowded: () => boolean) => Promise<Member>, settings: SharedSettings) {
    this.#open = open
    this.#settings = settings
  }

  /**
   * The browser for a page of this account, and a function to call when the page is closed. Rejects when none can be
   * started, with a `broken` Fault when several end right after their start.
   */
  async take(account: string): Promise<Taken> {
    this.#note(account)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const taken = await this.#try(account)
      if (taken !== null) return taken
    }
    throw new Fault('broken', 'the browser ends as soon as it is started')
  }

  /** Null when the chosen browser cannot take another page; it is then replaced. */
  async #try(account: string): Promise<Taken | null> {
    const shared = this.#choose(account)
    shared.pages.set(account, (shared.pages.get(account) ?? 0) + 1)
    shared.last = this.#latest
    if (shared.idle !== null) clearTimeout(shared.idle)
    shared.idle = null
    this.#keepOneReady()
    const leave = (): void => this.#leave(shared, account)
    try {
      const member = await shared.opening
      if (!member.retired && member.alive && !this.#worn(member)) return { member, leave }
      this.#retire(shared, member)
    } catch (error) {
      leave()
      throw error
    }
    leave()
    return null
  }

  #note(account: string): void {
    if (this.#latest.account !== account) this.#other = this.#latest
    this.#latest = { account, at: performance.now() }
  }

  /**
   * The browser with pages of the account, else an idle one that it used last or that nobody used recently, else a new
   * one, else the one with the fewest pages. So a new account waits for its browser's start, not one that comes back.
   */
  #choose(account: string): Shared {
    const all = [...this.#all]
    const fitting =
      all.find(({ pages }) => pages.has(account)) ??
      all.find(({ pages, last }) => pages.size === 0 && last.account === account) ??
      all.find(isFree)
    if (fitting !== undefined) return fitting
    if (all.length < this.#settings.browsers) return this.#begin()
    return all.reduce((best, each) => (count(each) < count(best) ? each : best))
  }

  #keepOneReady(): void {
    if (!isRecent(this.#other) || this.#all.size >= this.#settings.browsers || [...this.#all].some(isFree)) return
    this.#watchIdle(this.#begin())
  }

  #begin(): Shared {
    const taken = new Set([...this.#all].map(({ slot }) => slot))
    const slot = Array.from({ length: this.#settings.browsers }, (_, at) => at).find((at) => !taken.has(at)) ?? 0
    const pages = new Map<string, number>()
    const shared: Shared = { slot, opening: this.#open(slot, () => pages.size > 1), pages, last: NOBODY, idle: null }
    this.#all.add(shared)
    // The waiting page gets the error; the next start is a new try.
    shared.opening.catch(() => this.#remove(shared))
    return shared
  }

  #worn(member: Member): boolean {
    return member.uses >= this.#settings.uses || performance.now() - member.since >= this.#settings.lifetimeMs
  }

  #leave(shared: Shared, account: string): void {
    const left = (shared.pages.get(account) ?? 0) - 1
    if (left > 0) shared.pages.set(account, left)
    else shared.pages.delete(account)
    if (shared.pages.size === 0 && this.#all.has(shared)) this.#watchIdle(shared)
  }

  #watchIdle(shared: Shared): void {
    shared.idle = setTimeout(() => {
      void shared.opening.then(
        (member) => this.#retire(shared, member),
        () => undefined,
      )
    }, this.#settings.idleMs)
    shared.idle.unref()
  }

  /** Takes no more pages; ends now, or with the last of its pages. */
  #retire(shared: Shared, member: Member): void {
    this.#remove(shared)
    member.retired = true
    if (member.active === 0) void member.end()
  }

  #remove(shared: Shared): void {
    this.#all.delete(shared)
    if (shared.idle !== null) clearTimeout(shared.idle)
    shared.idle = null
  }
}

function isRecent({ at }: Visitor): boolean {
  return performance.now() - at < RECENT_MS
}

/** Without pages, and not used recently. */
function isFree({ pages, last }: Shared): boolean {
  return pages.size === 0 && !isRecent(last)
}

function count({ pages }: Shared): number {
  return [...pages.values()].reduce((sum, each) => sum + each, 0)
}
