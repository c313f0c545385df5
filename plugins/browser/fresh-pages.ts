import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** An isolated browser context with one empty page. */
export interface FreshPage {
  readonly context: BrowserContext
  readonly page: Page
}

/** Properties of a page's window. */
export interface PageForm {
  /** Of the window, in CSS pixels. */
  readonly width: number
  readonly height: number
  /** The page sees `prefers-reduced-motion`. */
  readonly calm: boolean
}

interface Prepared extends FreshPage {
  readonly form: PageForm
}

/** Opens an empty page in a context of its own. `context` replaces window, language and motion. */
export async function openFreshPage(browser: Browser, form: PageForm, context?: BrowserContextOptions): Promise<FreshPage> {
  const made = await browser.newContext({
    ...(context ?? { viewport: sizeOf(form), locale: 'en-US', ...(form.calm ? { reducedMotion: 'reduce' } : {}) }),
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  })
  try {
    return { context: made, page: await made.newPage() }
  } catch (error) {
    await made.close().catch(() => undefined)
    throw error
  }
}

/**
 * Empty pages of one browser. One is opened in advance, because its process takes as long to start as a small page
 * takes to load. Each is handed out once.
 */
export class FreshPages {
  readonly #browser: Browser
  #ready: Promise<Prepared | null> | null = null

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Opens a page for the next caller in the background, unless one is ready. After a failure that caller opens one itself. */
  prepare(form: PageForm): void {
    if (this.#ready !== null) return
    const ready = openFreshPage(this.#browser, form).then(
      (fresh) => ({ ...fresh, form }),
      () => null,
    )
    this.#ready = ready
    void ready.then((prepared) => {
      prepared?.page.once('crash', () => {
        if (this.#ready !== ready) return
        this.#ready = null
        void prepared.context.close().catch(() => undefined)
      })
    })
  }

  /** An empty page with this window, to be closed by the caller with its context. Rejects as the browser does. */
  async take(form: PageForm): Promise<FreshPage> {
    const ready = this.#ready
    this.#ready = null
    const prepared = await ready
    if (prepared === null) return await openFreshPage(this.#browser, form)
    try {
      await adjust(prepared, form)
      return prepared
    } catch (error) {
      await prepared.context.close().catch(() => undefined)
      throw error
    }
  }
}

async function adjust({ page, form: had }: Prepared, form: PageForm): Promise<void> {
  if (had.width !== form.width || had.height !== form.height) await page.setViewportSize(sizeOf(form))
  if (had.calm !== form.calm) await page.emulateMedia({ reducedMotion: form.calm ? 'reduce' : null })
}

function sizeOf({ width, height }: PageForm): { width: number; height: number } {
  return { width, height }
}
