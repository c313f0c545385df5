import { Fault } from '../../../core/sdk/index.js'

const AT_ONCE = 2
/** Minimum time in milliseconds to start a page once others were read. */
const PAGE_MS = 8_000

/** Result of a page. */
export interface PageResult<R> {
  readonly page: number
  readonly result: R | null
  /** Null for a page that was not read for lack of time. */
  readonly fault: Fault | null
}

interface Turns {
  /** Milliseconds until reading stops with the pages read so far. */
  readonly timeLeft: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly progress: (page: number, done: number) => void
}

/**
 * Reads pages, two in parallel, while there is time; pages still in progress are then left out, unless none was read.
 * An unreadable page is reported and skipped; any other failure ends the whole.
 */
export async function inTurn<R>(
  wanted: readonly number[],
  read: (page: number) => Promise<R>,
  { timeLeft, wait, progress }: Turns,
): Promise<PageResult<R>[]> {
  const results: PageResult<R>[] = []
  const queue = [...wanted]
  let late = false
  let leave: () => void = () => undefined
  const left = new Promise<void>((resolve) => (leave = resolve))
  const worker = async (): Promise<void> => {
    for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
      if (results.length > 0 && (late || timeLeft() < PAGE_MS)) results.push({ page, result: null, fault: null })
      else results.push(await one(page, read))
      progress(page, results.length)
      if (late) leave()
    }
  }
  const reading = Promise.all(Array.from({ length: AT_ONCE }, worker))
  const timed = wait(Math.max(0, timeLeft())).then(() => {
    late = true
    if (results.some(({ result }) => result !== null)) leave()
  })
  // The end of the call stops both; the caller reports it.
  timed.catch(() => undefined)
  reading.catch(() => undefined)
  await Promise.race([reading, left])
  const ended = results.slice()
  const unread = wanted.filter((page) => ended.every((result) => result.page !== page))
  return [...ended, ...unread.map((page) => ({ page, result: null, fault: null }))].sort((one, two) => one.page - two.page)
}

async function one<R>(page: number, read: (page: number) => Promise<R>): Promise<PageResult<R>> {
  try {
    return { page, result: await read(page), fault: null }
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    return { page, result: null, fault: error }
  }
}
