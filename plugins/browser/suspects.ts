import type { CallerNames } from '../../core/sdk/index.js'

const WINDOW_MS = 60_000
const ISOLATED_MS = 300_000
/** Browsers that pages of one key, and of all keys of one account, may end within a minute before they are isolated. */
const MOST_OF_KEY = 1
const MOST_OF_ACCOUNT = 3
const MOST_NAMES = 10_000

interface Entry {
  /** When its pages ended a browser, in monotonic milliseconds. */
  deaths: number[]
  isolatedUntil: number
}

/** How far a caller's pages are trusted: in a shared browser, in one each, or in one each and one at a time. */
type Trust = { readonly level: 'shared' | 'apart' } | { readonly level: 'isolated'; readonly name: string }

/**
 * Callers whose pages ended browsers. For a minute after the first, pages of that key are not opened beside those of
 * others. From the second within a minute on the pages of a key, from the fourth on those of its whole account are
 * isolated, until five minutes passed without another.
 */
export class Suspects {
  readonly #entries = new Map<string, Entry>()

  /** Records that a page of this caller, trusted so far, ended its own browser or was stopped at a limit in it. */
  note({ account, key }: CallerNames, trust: Trust): void {
    if (trust.level === 'isolated') return this.#again(trust.name)
    this.#count(key, MOST_OF_KEY)
    this.#count(account, MOST_OF_ACCOUNT)
  }

  /** The current trust of this caller; an isolated one has the name of the account or of the key. */
  trust({ account, key }: CallerNames): Trust {
    const now = performance.now()
    const name = [account, key].find((each) => (this.#entries.get(each)?.isolatedUntil ?? 0) > now)
    if (name !== undefined) return { level: 'isolated', name }
    const last = this.#entries.get(key)?.deaths.at(-1)
    return { level: last !== undefined && now - last < WINDOW_MS ? 'apart' : 'shared' }
  }

  #again(name: string): void {
    const entry = this.#entries.get(name)
    if (entry !== undefined) entry.isolatedUntil = performance.now() + ISOLATED_MS
  }

  #count(name: string, most: number): void {
    const now = performance.now()
    const { deaths, isolatedUntil } = this.#entries.get(name) ?? { deaths: [], isolatedUntil: 0 }
    const recent = [...deaths.filter((death) => now - death < WINDOW_MS), now].slice(-MOST_OF_ACCOUNT - 1)
    // Inserted anew, so that the first entry of the map is the oldest.
    this.#entries.delete(name)
    this.#entries.set(name, { deaths: recent, isolatedUntil: recent.length > most ? now + ISOLATED_MS : isolatedUntil })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MOST_NAMES && oldest !== undefined) this.#entries.delete(oldest)
  }
}
