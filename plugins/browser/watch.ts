import type { BrowserContext, Page, Response } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'
import { parseUrl } from '../../core/sdk/url.js'
import { crashed } from './faults.js'

/** The empty page: it loads nothing, so it shows whether the browser works. */
export const BLANK = 'about:blank'

/** The latest main document, kept while the page navigates by itself. */
export interface Main {
  response: Response | null
  /** Address of its last failed request, which may be a redirect target. */
  failed: string | null
  download: boolean
  /** Pending work of the page, for the timeout message. */
  awaited: string
}

/** Blocks everything but reading the page; the returned promise rejects when the page left the web or its tab crashed. */
export function watch(context: BrowserContext, page: Page, main: Main): Promise<never> {
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => undefined)
  })
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  let before: Response | null = null
  page.on('download', (download) => {
    // A loaded page that starts a download stays a page.
    if (page.url() === BLANK) main.download = true
    else if (main.response?.url() === download.url()) main.response = before
    void download.cancel().catch(() => undefined)
  })
  page.on('response', (response) => {
    const request = response.request()
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    before = main.response
    main.response = response
  })
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) main.failed = request.url()
  })
  const failed = new Promise<never>((_resolve, reject) => {
    page.on('crash', () => reject(crashed()))
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url() !== BLANK && !isWeb(frame.url()))
        reject(new Fault('blocked', 'the page went to an address that is not http or https'))
    })
  })
  failed.catch(() => undefined)
  return failed
}

/** An address that pages may have. */
export function isWeb(url: string): boolean {
  return parseUrl(url) !== null && /^https?:$/.test(new URL(url).protocol)
}
