import type { Page, Request } from 'playwright-core'

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

  /** Waits until nothing was under way for `idleMs`, or `limitMs` have passed: a page that polls for ever is read as it stands. */
  async wait(idleMs: number, limitMs: number): Promise<void> {
    const end = Date.now() + limitMs
    this.#last = Math.max(this.#last, Date.now() - idleMs + STEP_MS)
    while (Date.now() < end && (this.#open.size > 0 || Date.now() - this.#last < idleMs)) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    }
  }
}

const STEP_MS = 20
