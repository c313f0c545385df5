import type { Page, Request } from 'playwright-core'
import { parseUrl } from '../../core/sdk/url.js'

/** Requests of a page that are under way, to tell when scripts have nothing more to wait for. */
export class NetworkIdle {
  readonly #open = new Set<Request>()
  #last = Date.now()

  constructor(page: Page) {
    page.on('request', (request) => {
      this.#open.add(request)
      this.#last = Date.now()
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

  /** Waits until nothing was under way for `idleMs`, or `limitMs` have passed: a page that polls for ever is read as it stands. */
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
