import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { scrapeFetch, scrapeRender, type ReadPage } from '../../scrape/contract.js'
import type { Budget } from '../budget.js'
import type { Source } from '../run-state.js'
import type { Candidates } from './candidates.js'
import { inParallel } from './in-parallel.js'

/** Time limit for one page in seconds; a browser takes longer. */
const FETCH_SECONDS = 10
const RENDER_SECONDS = 20

export interface ReadOptions {
  readonly budget: Budget
  readonly atOnce: number
  /** Number of pages wanted. */
  readonly wanted: number
  /** Milliseconds left for reading. */
  readonly timeLeft: () => number
}

export interface ReadResult {
  /** Pages whose text was read. */
  readonly read: number
  readonly failed: number
}

/** Reads sources in order until enough pages were read, or the limit of scrapes or the time is reached. Each attempt counts. */
export async function readPages(
  sources: readonly Source[],
  candidates: Candidates,
  ctx: HandlerContext,
  { budget, atOnce, wanted, timeLeft }: ReadOptions,
): Promise<ReadResult> {
  let read = 0
  let failed = 0
  let running = 0
  let attempts = 0
  const goOn = (): boolean => read + running < wanted && budget.left('scrapes') > 0 && timeLeft() > 0
  const task = async ({ url, title }: Source): Promise<void> => {
    running++
    attempts++
    candidates.tried(url)
    const page = await pageAt(url, ctx, { budget, timeLeft })
    running--
    if (page !== null && candidates.read(url, page.content, page.title)) read++
    else if (page === null) failed++
    ctx.progress('content_extraction', title, read, wanted)
  }
  // A failure makes room for the next source.
  const left = sources[Symbol.iterator]()
  const rest = { [Symbol.iterator]: () => left }
  for (let before = -1; goOn() && before !== attempts;) {
    before = attempts
    await inParallel(rest, Math.min(atOnce, wanted - read), task, goOn)
  }
  if (read < wanted && candidates.unread.length > 0) budget.exhaust()
  return { read, failed }
}

/** Reads a page without a browser, or with one if it is otherwise empty; null when it could not be read. */
async function pageAt(
  url: string,
  ctx: HandlerContext,
  { budget, timeLeft }: Pick<ReadOptions, 'budget' | 'timeLeft'>,
): Promise<ReadPage | null> {
  if (!budget.take('scrapes')) return null
  const reasons: Fault[] = []
  const read = (port: typeof scrapeFetch, seconds: number) =>
    ctx.aside((context) => context.call(port, { url, timeout: seconds }), {
      withinMs: Math.min(seconds * 1_000 + 500, timeLeft()),
      onFailure: (fault) => void reasons.push(fault),
    })
  const page = await read(scrapeFetch, FETCH_SECONDS)
  const [reason] = reasons
  if (page !== null || reason === undefined || !mayShowInBrowser(reason) || timeLeft() <= 0) return page
  if (!ctx.has(scrapeRender) || !budget.take('scrapes')) return null
  return await read(scrapeRender, RENDER_SECONDS)
}

/** A page that is built by scripts, or that a site serves only to browsers. */
function mayShowInBrowser({ kind, final, obstacle, unavailable }: Fault): boolean {
  return (kind === 'missing' && !final) || (kind === 'blocked' && obstacle === undefined && !unavailable)
}
