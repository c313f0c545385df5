import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core'
import { Fault, type Static } from '../../core/sdk/index.js'
import type { browserRender } from './contract.js'
import { isMoved, isTimeout, isUnreached, navigationFault, neverCame, unanswered } from './faults.js'
import { openFreshPage, type FreshPage, type PageForm } from './fresh-pages.js'
import { lateParts } from './late.js'
import { NetworkIdle } from './network-idle.js'
import { isShown, serveOwnFile, type OwnFile } from './own-file.js'
import type { PageSlot } from './page-place.js'
import type { PictureFiles } from './pictures/files.js'
import { takePicture } from './pictures/take.js'
import { refreshAhead } from './refresh.js'
import { refusal } from './refusal.js'
import { scrollToEnd } from './scroll.js'
import { snapshot } from './snapshot.js'
import { BLANK, isWeb, watch, type Main } from './watch.js'

export type Visit = Static<typeof browserRender.input>
export type Visited = Static<typeof browserRender.output>

const NAVIGATION_MS = 30_000
const SETTLE_MS = 5_000
/** Reserved for reading the page and composing the timeout message. */
const REPORT_MS = 500
const IDLE_MS = 100
const CLOSE_MS = 1_000
/** Most times a page may navigate by itself. */
const MOST_MOVES = 5

/** Options for opening a page. */
interface Opening
  extends Pick<Visit, 'url' | 'wait_for' | 'timeout_ms' | 'width' | 'height'>, Partial<Pick<Visit, 'must_match' | 'scroll'>> {
  /** The page sees `prefers-reduced-motion`. */
  readonly calm?: boolean
}

/** A settled page while it is being read. */
export interface Opened {
  readonly context: BrowserContext
  readonly page: Page
  readonly network: NetworkIdle
  readonly main: Main
  /** Milliseconds until the page must have been read. */
  readonly left: () => number
  /** False when `wait_for` matched nothing in time; null without `wait_for`. */
  readonly matched: boolean | null
}

/** A page that has settled, before it is waited for and read. */
export interface Settled {
  readonly page: Page
  /** The current page, without a picture. */
  readonly look: () => Promise<Visited>
  /** Milliseconds left of the page's own time. */
  readonly left: () => number
  /** Extends that time. */
  readonly extend: (ms: number) => void
  /** Runs work that the page only waits for; its place is released meanwhile. */
  readonly releaseWhile: PageSlot['releaseWhile']
}

interface OpeningOptions {
  readonly signal: AbortSignal
  readonly slot: PageSlot
  /** Throws the guard's refusal of an address: when the proxy refuses an https target, the browser does not report why. */
  readonly assertPublic?: (url: string) => Promise<unknown>
  /** The file opened in place of the address, which is then not fetched; null or absent for a web address. */
  readonly file?: OwnFile | null
  /** Context options in place of window and language, beside the restrictions. */
  readonly context?: BrowserContextOptions
  /** Runs before the page is waited for; true when the page may have navigated meanwhile. */
  readonly settled?: (settled: Settled) => Promise<boolean>
}

export interface VisitOptions extends OpeningOptions {
  readonly files: PictureFiles
}

/** Opens one page, reads its markup and takes a picture if requested. Faults as `onPage`. */
export async function visit(browser: Browser, input: Visit, { files, ...options }: VisitOptions): Promise<Visited> {
  if (options.file && !isShown(options.file.contentType)) return saved(input.url, options.file.contentType)
  return await onPage(browser, input, { ...options, read: (opened) => read(opened, input, files) })
}

/**
 * Opens one page in a new isolated context, calls `read` and discards everything. A page that turns out to be a
 * download is passed on as such, without settling. Throws `blocked` or `missing` for failures of the page. Stops when
 * the signal is aborted.
 */
export async function onPage<R>(
  browser: Browser,
  input: Opening,
  options: OpeningOptions & { readonly read: (opened: Opened) => Promise<R> },
): Promise<R> {
  assertScheme(input.url)
  const form: PageForm = { width: input.width, height: input.height, calm: input.calm === true }
  const { slot } = options
  const fresh = options.context === undefined ? slot.fresh : null
  const main: Main = { response: null, failed: null, download: false, awaited: 'it did not answer' }
  const end = Date.now() + input.timeout_ms
  const limit = stopAt(input.timeout_ms, options.signal, () => main.awaited)
  const opening = fresh?.take(form) ?? openFreshPage(browser, form, options.context)
  const work = opening.then((page) => open(page, input, { ...options, main, end, extend: limit.extend }))
  try {
    return await Promise.race([work, limit.reached])
  } finally {
    limit.clear()
    work.catch(() => undefined)
    slot.afterwards(closed(opening))
    // Not while the page is loading: both share the same processors.
    fresh?.prepare(form)
  }
}

/** Closes a page with its context. If that hangs, it ends with the browser. */
async function closed(opening: Promise<FreshPage>): Promise<void> {
  const closing = opening.then(({ context }) => context.close()).catch(() => undefined)
  await Promise.race([closing, new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
}

interface OpenOptions<R> extends OpeningOptions, Pick<Settled, 'extend'> {
  readonly main: Main
  /** Deadline for reading the page, unless extended. */
  readonly end: number
  readonly read: (opened: Opened) => Promise<R>
}

async function open<R>({ context, page }: FreshPage, input: Opening, options: OpenOptions<R>): Promise<R> {
  const { settled, main, slot } = options
  let { end } = options
  const left = (): number => Math.max(1, end - Date.now())
  const failed = watch(context, page, main)
  const network = new NetworkIdle(page)
  const opened = { context, page, network, main, left, matched: null }
  const reading = (async (): Promise<R> => {
    if (options.file) await serveOwnFile(page, input.url, options.file)
    await navigate(page, input.url, Math.min(left() - REPORT_MS, NAVIGATION_MS), { ...options, network })
    await refusal(main.response)
    if (main.download) return await options.read(opened)
    main.awaited = 'its scripts did not finish'
    if (settled !== undefined) {
      const still = { ...input, wait_for: null }
      await settle(opened, still)
      const extend = (ms: number): void => {
        end += ms
        options.extend(ms)
      }
      if (await settled({ page, look: () => look(opened), left, extend, releaseWhile: slot.releaseWhile })) await settle(opened, still)
    }
    const matched = settled === undefined || input.wait_for !== null ? await settle(opened, input) : null
    if (input.scroll === true) await scrollToEnd(page, network, left)
    await assertOpen(page, main)
    return await options.read({ ...opened, matched })
  })()
  return await Promise.race([reading, failed]).catch((error: unknown) => {
    throw isMoved(error) ? new Fault('blocked', 'the page went on to another one while it was read') : error
  })
}

async function read(opened: Opened, input: Visit, files: PictureFiles): Promise<Visited> {
  if (opened.main.download) return await file(opened.main, opened.page)
  const seen = await look(opened)
  const { screenshot: format } = input
  return format === null ? seen : { ...seen, screenshot: (await takePicture(opened, { ...input, format }, files)).file }
}

/** The current page. */
async function look({ context, page, main, matched }: Opened): Promise<Visited> {
  await assertOpen(page, main)
  const read = (): ReturnType<typeof snapshot> => snapshot(context, page)
  const { html, title } = await read().catch(async (error: unknown) => {
    if (!isMoved(error)) throw error
    await page.waitForLoadState('domcontentloaded', { timeout: SETTLE_MS }).catch(tolerateTimeout)
    return await read()
  })
  const { status, type } = await describe(main.response)
  return { html, final_url: page.url(), status, title: title === '' ? null : title, content_type: type, screenshot: null, matched }
}

/** Throws when the page went to a disallowed address, or was refused one. */
async function assertOpen(page: Page, main: Main): Promise<void> {
  if (!isWeb(page.url()) && page.url() !== BLANK) throw new Fault('blocked', 'the page went to an address that is not http or https')
  await refusal(main.response)
}

async function navigate(
  page: Page,
  url: string,
  timeout: number,
  { main, network, assertPublic }: Pick<OpeningOptions, 'assertPublic'> & { readonly main: Main; readonly network: NetworkIdle },
): Promise<void> {
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout })
  } catch (error) {
    if (Fault.is(error) || main.download) return
    if (error instanceof Error && error.message.includes('Download is starting')) {
      main.download = true
      return
    }
    if (isTimeout(error)) {
      if (main.response === null)
        throw new Fault('blocked', 'the page did not answer in time', { costly: true, unavailable: true, obstacle: 'silent' })
      const late = lateParts(network)
      throw new Fault('blocked', `the page was not read to its end in time${late === '' ? '' : `: still waiting for ${late}`}`, {
        costly: true,
        unavailable: true,
        obstacle: 'silent',
      })
    }
    const fault = navigationFault(error)
    if (fault !== undefined && isUnreached(fault) && assertPublic !== undefined) {
      await assertPublic(main.failed ?? url)
      throw unanswered(fault)
    }
    throw fault ?? error
  }
}

type Settling = Pick<Opened, 'page' | 'main' | 'network' | 'left'>

/** Waits for a page that is about to navigate; false when it stays, or did not navigate in time. */
async function goesOn({ page, main, network, left }: Settling, before: number): Promise<boolean> {
  if (network.navigations > before) return true
  const delay = await refreshAhead(page, main)
  return delay !== null && (await network.navigated(before, Math.min(delay + SETTLE_MS, left() - CLOSE_MS)))
}

/** Waits for the selector, or until the page has settled; whether the selector matched, null without one. */
async function settle({ page, main, network, left }: Settling, input: Opening): Promise<boolean | null> {
  if (input.wait_for === null) {
    const first = network.navigations
    let before: number
    do {
      before = network.navigations
      await page.waitForLoadState('load', { timeout: Math.min(left(), SETTLE_MS) }).catch(tolerateTimeout)
      await network.wait(IDLE_MS, Math.min(left() - CLOSE_MS, SETTLE_MS))
      await assertOpen(page, main)
    } while (network.navigations - first <= MOST_MOVES && (await goesOn({ page, main, network, left }, before)))
    return null
  }
  try {
    await page.waitForSelector(input.wait_for, { state: 'attached', timeout: Math.max(1, left() - REPORT_MS) })
    return true
  } catch (error) {
    if (isTimeout(error) && input.must_match === false) return false
    if (isTimeout(error)) throw neverCame(input.wait_for)
    const message = error instanceof Error ? error.message : String(error)
    if (/selector/i.test(message)) throw new Fault('invalid', 'wait_for is not a CSS selector', { loc: ['wait_for'] })
    throw error
  }
}

async function file(main: Main, page: Page): Promise<Visited> {
  const { status, type } = await describe(main.response)
  return { ...saved(main.response?.url() ?? page.url(), type), status: status === 0 ? 200 : status }
}

/** The result for a download. */
function saved(url: string, type: string): Visited {
  const content_type = type === '' ? 'application/octet-stream' : type
  return { html: '', final_url: url, status: 200, title: null, content_type, screenshot: null, matched: null }
}

/** Status and media type of a main document. */
export async function describe(response: Response | null): Promise<{ status: number; type: string }> {
  if (response === null) return { status: 200, type: 'text/html' }
  const header = (await response.headerValue('content-type')) ?? ''
  return { status: response.status(), type: (header.split(';', 1)[0] ?? '').trim().toLowerCase() }
}

function assertScheme(url: string): void {
  if (!isWeb(url) && url !== BLANK) throw new Fault('blocked', 'only http and https addresses are opened')
}

function tolerateTimeout(error: unknown): void {
  if (!isTimeout(error)) throw error
}

function stopAt(
  ms: number,
  signal: AbortSignal,
  awaited: () => string,
): { reached: Promise<never>; clear: () => void; extend: (more: number) => void } {
  let clear: () => void = () => undefined
  let extend: (more: number) => void = () => undefined
  let end = Date.now() + ms
  const reached = new Promise<never>((_resolve, reject) => {
    const late = (): void =>
      reject(new Fault('blocked', `the page was not ready in time: ${awaited()}`, { costly: true, unavailable: true }))
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
