import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { Fault, type Static } from '../../core/sdk/index.js'
import type { browserRender } from './contract.js'
import { crashed, isTimeout, navigationFault } from './faults.js'
import { NetworkIdle } from './network-idle.js'
import { takePicture } from './pictures/take.js'
import { refusal } from './refusal.js'
import { snapshot } from './snapshot.js'
import { parseUrl } from '../../core/sdk/url.js'

export type Visit = Static<typeof browserRender.input>
export type Visited = Static<typeof browserRender.output>

/** The empty page: it reaches nothing and tells whether the browser works. */
const BLANK = 'about:blank'
const NAVIGATION_MS = 30_000
const SETTLE_MS = 5_000
const IDLE_MS = 100
const CLOSE_MS = 1_000

/** What opening a page needs to know. */
export interface Opening extends Pick<Visit, 'url' | 'wait_for' | 'timeout_ms' | 'width' | 'height'> {
  /** The page is told that its visitor wants little motion. */
  readonly calm?: boolean
}

/** A page that is open and has settled, for as long as it is read. */
export interface Opened {
  readonly context: BrowserContext
  readonly page: Page
  readonly network: NetworkIdle
  readonly main: Main
  /** Milliseconds until the page must have been read. */
  readonly left: () => number
}

/** The main document as last answered, kept while the page moves on by itself. */
export interface Main {
  response: Response | null
  download: boolean
}

/** Opens one page, reads its markup and takes a picture when asked for. Faults as `onPage`. */
export function visit(browser: Browser, input: Visit, signal: AbortSignal): Promise<Visited> {
  return onPage(browser, input, { signal, read: (opened) => read(opened, input) })
}

/**
 * Opens one page in a context of its own that shares nothing with any other, has it read and throws everything away. A page that turns out to
 * be a download is handed over as such, without having settled. Throws `blocked` or `missing` for what the page did. Stops when the signal is
 * aborted.
 */
export async function onPage<R>(
  browser: Browser,
  input: Opening,
  { signal, read }: { readonly signal: AbortSignal; readonly read: (opened: Opened) => Promise<R> },
): Promise<R> {
  assertScheme(input.url)
  const context = await browser.newContext({
    viewport: { width: input.width, height: input.height },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
    locale: 'en-US',
    ...(input.calm === true ? { reducedMotion: 'reduce' } : {}),
  })
  const limit = stopAt(input.timeout_ms, signal)
  const work = open(context, input, read)
  try {
    return await Promise.race([work, limit.reached])
  } finally {
    limit.clear()
    work.catch(() => undefined)
    const closed = context.close().catch(() => undefined)
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
  }
}

async function open<R>(context: BrowserContext, input: Opening, read: (opened: Opened) => Promise<R>): Promise<R> {
  const end = Date.now() + input.timeout_ms
  const left = (): number => Math.max(1, end - Date.now())
  const page = await context.newPage()
  const main: Main = { response: null, download: false }
  const failed = watch(context, page, main)
  const network = new NetworkIdle(page)
  const reading = (async (): Promise<R> => {
    await navigate(page, input.url, Math.min(left(), NAVIGATION_MS), main)
    await refusal(main.response)
    if (!main.download) {
      await settle(page, input, network, left)
      if (!isWeb(page.url()) && page.url() !== BLANK) throw new Fault('blocked', 'the page went to an address that is not http or https')
      await refusal(main.response)
    }
    return await read({ context, page, network, main, left })
  })()
  return Promise.race([reading, failed])
}

async function read(opened: Opened, input: Visit): Promise<Visited> {
  const { context, page, main } = opened
  if (main.download) return await file(main, page)
  const seen = await snapshot(context, page)
  const { screenshot: format } = input
  const screenshot = format === null ? null : (await takePicture(opened, { ...input, format })).picture
  const about = await describe(main.response)
  return {
    html: seen.html,
    final_url: page.url(),
    status: about.status,
    title: seen.title === '' ? null : seen.title,
    content_type: about.type,
    screenshot,
  }
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
      if (main.response === null) throw new Fault('blocked', 'the page did not answer in time')
      throw new Fault('blocked', 'the page was not read to its end in time')
    }
    throw navigationFault(error) ?? error
  }
}

async function settle(page: Page, input: Opening, network: NetworkIdle, left: () => number): Promise<void> {
  if (input.wait_for === null) {
    await page.waitForLoadState('load', { timeout: Math.min(left(), SETTLE_MS) }).catch(tolerateTimeout)
    await network.wait(IDLE_MS, Math.min(left() - CLOSE_MS, SETTLE_MS))
    return
  }
  try {
    // Half a second is kept for reading the page and saying so in our own words.
    await page.waitForSelector(input.wait_for, { state: 'attached', timeout: Math.max(1, left() - 500) })
  } catch (error) {
    if (isTimeout(error)) throw new Fault('missing', 'wait_for: no element matched the selector in time')
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
  }
}

/** Status and media type of a main document; those of a page where nothing was answered. */
export async function describe(response: Response | null): Promise<{ status: number; type: string }> {
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

function stopAt(ms: number, signal: AbortSignal): { reached: Promise<never>; clear: () => void } {
  let clear: () => void = () => undefined
  const reached = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Fault('blocked', 'the page was not ready in time', { costly: true })), ms)
    const stop = (): void => reject(new Fault('busy', 'the call was stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    clear = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  return { reached, clear }
}
