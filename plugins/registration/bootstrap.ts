import { unanswered } from './unanswered.js'

const DAY_MS = 86_400_000
/** After a failure an old list serves for so long before it is asked for again, and none is for so long asked for no more. */
const STALE_MS = 300_000
const FAILED_MS = 30_000

/** What IANA's list says: labels below which one server answers, and its address. */
export interface BootstrapList {
  readonly bases: ReadonlyMap<string, string>
  /** How long it may be kept, in milliseconds; a day at least. */
  readonly freshMs: number
}

/** IANA's list of RDAP servers (RFC 9224), kept for a day, and longer while it cannot be renewed. */
export class Bootstrap {
  readonly #now: () => number
  #list: BootstrapList | null = null
  /** When it is read again, in milliseconds of `now`. */
  #renewAt = 0
  #reading: Promise<BootstrapList> | null = null

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * The address of the RDAP server for a domain: that of the entry with most labels; null when none answers for it. `read` fetches the list, and
   * `isStopped` tells that it failed because its own caller left. Throws a `busy` Fault while there is none.
   */
  async baseOf(domain: string, read: () => Promise<BootstrapList>, isStopped: () => boolean = () => false): Promise<string | null> {
    const { bases } = await this.#current(read, isStopped)
    const labels = domain.split('.')
    for (let at = 1; at < labels.length; at++) {
      const base = bases.get(labels.slice(at).join('.'))
      if (base !== undefined) return base
    }
    return null
  }

  async #current(read: () => Promise<BootstrapList>, isStopped: () => boolean): Promise<BootstrapList> {
    // Another call's reading may end with that call, so that whoever waits for it then reads itself.
    for (let another = this.#reading; another !== null; another = this.#reading) {
      const [outcome] = await Promise.allSettled([another])
      if (outcome.status === 'fulfilled') return outcome.value
    }
    if (this.#now() < this.#renewAt) {
      if (this.#list !== null) return this.#list
      throw unanswered('The list of RDAP servers could not be fetched.', {
        retryAfterSeconds: Math.ceil((this.#renewAt - this.#now()) / 1_000),
      })
    }
    return await this.#renewed(read, isStopped)
  }

  async #renewed(read: () => Promise<BootstrapList>, isStopped: () => boolean): Promise<BootstrapList> {
    const reading = this.#read(read, isStopped)
    this.#reading = reading
    try {
      return await reading
    } finally {
      if (this.#reading === reading) this.#reading = null
    }
  }

  async #read(read: () => Promise<BootstrapList>, isStopped: () => boolean): Promise<BootstrapList> {
    try {
      const list = await read()
      this.#renewAt = this.#now() + Math.max(DAY_MS, list.freshMs)
      this.#list = list
      return list
    } catch (error) {
      if (isStopped()) throw error
      if (this.#list === null) {
        this.#renewAt = this.#now() + FAILED_MS
        throw unanswered('The list of RDAP servers could not be fetched.', { retryAfterSeconds: FAILED_MS / 1_000, cause: error })
      }
      this.#renewAt = this.#now() + STALE_MS
      return this.#list
    }
  }
}
