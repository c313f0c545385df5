import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core'
import { Fault, type Static } from '../../core/sdk/index.js'
import type { browserRender } from './contract.js'
import { crashed, isTimeout, navigationFault, neverCame } from './faults.js'
import { picture } from './picture.js'
import { NetworkIdle } from './network-idle.js'
import { refusal } from './refusal.js'
import { scrollToEnd } from './scroll.js'
import { snapshot } from './snapshot.js'
import { parseUrl } from '../../core/sdk/url.js'

export type Visit = Static<typeof browserRender.input>
export type Visited = Static<typeof browserRender.output>

/** A page that has settled and is about to be read. */
export interface Opened {
  readonly page: Page
  /** The page as it stands now, without a picture. */
  readonly look: () => Promise<Visited>
  /** Milliseconds of its own time that are left. */
  readonly left: () => number
  /** Gives it more of that. */
  readonly extend: (ms: number) => void
}

export interface VisitOptions {
  /** Of its context, in place of window and language, beside what keeps it in. */
  readonly context?: BrowserContextOptions
  /** What is done before the page is read; true when the page may have moved on meanwhile. */
  readonly settled?: (opened: Opened) => Promise<boolean>
}

/** The empty page: it reaches nothing and tells whether the browser works. */
const BLANK = 'about:blank'
const NAVIGATION_MS = 30_000
const SETTLE_MS = 5_000
const IDLE_MS = 100
const CLOSE_MS = 1_000

/**
 * Opens one page in a context of its own that shares nothing with any other, reads it and throws everything away.
 * Throws `blocked` or `missing` for what the page did. Stops when the signal is aborted.
 */
export async function visit(browser: Browser, input: Visit, signal: AbortSignal, options: VisitOptions = {}): Promise<Visited> {
  assertScheme(input.url)
  const context = await browser.newContext({
    ...(options.context ?? { viewport: { width: input.width, height: input.height }, locale: 'en-US' }),
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  })
  const limit = stopAt(input.timeout_ms, signal)
  const work = read(context, input, { ...options, extend: limit.extend })
  try {
    return await Promise.race([work, limit.reached])
  } finally {
    limit.clear()
    work.catch(() => undefined)
    const closed = context.close().catch(() => undefined)
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
  }
}

/** The main document as last answered, kept while the page moves on by itself. */
interface Main {
  response: Response | null
  download: boolean
}

async function read(context: BrowserContext, input: Visit, options: VisitOptions & Pick<Opened, 'extend'>): Promise<Visited> {
  const { settled } = options
  let end = Date.now() + input.timeout_ms
  const left = (): number => Math.max(1, end - Date.now())
  const page = await context.newPage()
  const main: Main = { response: null, download: false }
  const failed = watch(context, page, main)
  const network = new NetworkIdle(page)
  const reading = (async (): Promise<Visited> => {
    await navigate(page, input.url, Math.min(left(), NAVIGATION_MS), main)
    await refusal(main.response)
    if (main.download) return await file(main, page)
    let matched: boolean | null = null
    const look = async (): Promise<Visited> => {
      if (!isWeb(page.url()) && page.url() !== BLANK) throw new Fault('blocked', 'the page went to an address that is not http or https')
      await refusal(main.response)
      const seen = await snapshot(context, page)
      const { status, type } = await describe(main.response)
      const title = seen.title === '' ? null : seen.title
      return { html: seen.html, final_url: page.url(), status, title, content_type: type, screenshot: null, matched }
    }
    if (settled !== undefined) {
      await settle(page, { ...input, wait_for: null }, network, left)
      const extend = (ms: number): void => {
        end += ms
        options.extend(ms)
      }
      if (await settled({ page, look, left, extend })) await settle(page, { ...input, wait_for: null }, network, left)
    }
    if (settled === undefined || input.wait_for !== null) matched = await settle(page, input, network, left)
    if (input.scroll) await scrollToEnd(page, network, left)
    const seen = await look()
    return input.screenshot === null ? seen : { ...seen, screenshot: await picture(page, input, left()) }
  })()
  return Promise.race([reading, failed])
}

/** Refuses what a page may try beside being read; the returned promise fails when the page left the web or its tab crashed. */
function watch(context: BrowserContext, page: Page, main: Main): Promise<never> {
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => undefined)
  })
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.on('download', (download) => {
    main.download = true
    void download.cancel().catch(() => undefined)
  })
  page.on('response', (response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) main.response = response
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

async function navigate(page: Page, url: string, timeout: number, main: Main): Promise<void> {
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout })
  } catch (error) {
    if (Fault.is(error) || main.download) return
    if (error instanceof Error && error.message.includes('Download is starting')) {
      main.download = true
      return
    }
    if (isTimeout(error)) {
      if (main.response === null) throw new Fault('blocked', 'the page did not answer in time', { unavailable: true })
      throw new Fault('blocked', 'the page was not read to its end in time', { unavailable: true })
    }
    throw navigationFault(error) ?? error
  }
}

async function settle(page: Page, input: Visit, network: NetworkIdle, left: () => number): Promise<boolean | null> {
  if (input.wait_for === null) {
    await page.waitForLoadState('load', { timeout: Math.min(left(), SETTLE_MS) }).catch(tolerateTimeout)
    await network.wait(IDLE_MS, Math.min(left() - CLOSE_MS, SETTLE_MS))
    return null
  }
  try {
    // Half a second is kept for reading the page and saying so in our own words.
    await page.waitForSelector(input.wait_for, { state: 'attached', timeout: Math.max(1, left() - 500) })
    return true
  } catch (error) {
    if (isTimeout(error) && !input.must_match) return false
    if (isTimeout(error)) throw neverCame(input.wait_for)
    const message = error instanceof Error ? error.message : String(error)
    if (/selector/i.test(message)) throw new Fault('invalid', 'wait_for is not a CSS selector', { loc: ['wait_for'] })
    throw error
  }
}

async function file(main: Main, page: Page): Promise<Visited> {
  const { status, type } = await describe(main.response)
  return {
    html: '',
    final_url: main.response?.url() ?? page.url(),
    status: status === 0 ? 200 : status,
    title: null,
    content_type: type === '' ? 'application/octet-stream' : type,
    screenshot: null,
    matched: null,
  }
}

async function describe(response: Response | null): Promise<{ status: number; type: string }> {
  if (response === null) return { status: 200, type: 'text/html' }
  const header = (await response.headerValue('content-type')) ?? ''
  return { status: response.status(), type: (header.split(';', 1)[0] ?? '').trim().toLowerCase() }
}

function assertScheme(url: string): void {
  if (!isWeb(url) && url !== BLANK) throw new Fault('blocked', 'only http and https addresses are opened')
}

function isWeb(url: string): boolean {
  return parseUrl(url) !== null && /^https?:$/.test(new URL(url).protocol)
}

function tolerateTimeout(error: unknown): void {
  if (!isTimeout(error)) throw error
}

function stopAt(ms: number, signal: AbortSignal): { reached: Promise<never>; clear: () => void; extend: (more: number) => void } {
  let clear: () => void = () => undefined
  let extend: (more: number) => void = () => undefined
  let end = Date.now() + ms
  const reached = new Promise<never>((_resolve, reject) => {
    const late = (): void => reject(new Fault('blocked', 'the page was not ready in time', { costly: true, unavailable: true }))
    let timer = setTimeout(late, ms)
    const stop = (): void => reject(new Fault('busy', 'the call was stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    extend = (more) => {
      end += more
      clearTimeout(timer)
      timer = setTimeout(late, end - Date.now())
    }
    clear = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  return { reached, clear, extend }
}
