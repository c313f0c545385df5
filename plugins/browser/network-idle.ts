import type { Page, Request } from 'playwright-core'
import { parseUrl } from '../../core/sdk/url.js'

/** Requests of a page that are under way, to know when scripts have nothing more to wait for. */
export class NetworkIdle {
  readonly #open = new Set<Request>()
  #last = Date.now()
  #navigations = 0

  constructor(page: Page) {
    page.on('request', (request) => {
      this.#open.add(request)
      this.#last = Date.now()
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.#navigations += 1
    })
    const end = (request: Request): void => {
      this.#open.delete(request)
      this.#last = Date.now()
    }
    page.on('requestfinished', end)
    page.on('requestfailed', end)
  }

  /** What has been asked for and has not come, the longest under way first, as words for the caller; only of these kinds when given. */
  missing(kinds?: ReadonlySet<string>): string[] {
    return [...this.#open].filter((request) => kinds?.has(request.resourceType()) !== false).map(named)
  }

  /** How often the page itself has gone to an address. */
  get navigations(): number {
    return this.#navigations
  }

  /** Waits until the page has gone to an address more often than `before`; false when it did not within `limitMs`. */
  async navigated(before: number, limitMs: number): Promise<boolean> {
    const end = Date.now() + limitMs
    while (this.#navigations === before && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    return this.#navigations > before
  }

  /** Waits until nothing was under way for `idleMs`, or `limitMs` have passed: a page that polls for ever is read as it is. */
  async wait(idleMs: number, limitMs: number): Promise<void> {
    const end = Date.now() + limitMs
    this.#last = Math.max(this.#last, Date.now() - idleMs + STEP_MS)
    for (let now = Date.now(); now < end; now = Date.now()) {
      const rest = this.#open.size > 0 ? STEP_MS : idleMs - (now - this.#last)
      if (rest <= 0) return
      await new Promise((resolve) => setTimeout(resolve, Math.min(rest, end - now)))
    }
  }
}

const STEP_MS = 20
const MOST_CHARACTERS = 120

/** Without the query, which may hold anything. */
function named(request: Request): string {
  const url = parseUrl(request.url())
  const address = url === null ? '' : ` ${url.origin === 'null' ? url.protocol : url.origin + url.pathname}`
  return `${request.resourceType()}${address.slice(0, MOST_CHARACTERS)}`
}
