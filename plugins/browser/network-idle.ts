import type { Page, Request } from 'playwright-core'
import { parseUrl } from '../../core/sdk/url.js'

/** Pending requests of a page, to detect when scripts have nothing more to wait for. */
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

  /** Pending requests, the oldest first, described for the caller; only of these kinds if given. */
  missing(kinds?: ReadonlySet<string>): string[] {
    return [...this.#open].filter((request) => kinds?.has(request.resourceType()) !== false).map(named)
  }

  /** How often the page has navigated. */
  get navigations(): number {
    return this.#navigations
  }

  /** Waits until the page has navigated more often than `before`; false when it did not within `limitMs`. */
  async navigated(before: number, limitMs: number): Promise<boolean> {
    const end = Date.now() + limitMs
    while (this.#navigations === before && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    return this.#navigations > before
  }

  /** Waits until no request was pending for `idleMs`, or `limitMs` have passed: a page that polls forever is read as it is. */
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

/** The address without its query, which may contain anything. */
function named(request: Request): string {
  const url = parseUrl(request.url())
  const address = url === null ? '' : ` ${url.origin === 'null' ? url.protocol : url.origin + url.pathname}`
  return `${request.resourceType()}${address.slice(0, MOST_CHARACTERS)}`
}
