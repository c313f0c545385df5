import type { Browser } from 'playwright-core'
import type { Usage } from './usage.js'

const BEAT_MS = 500
const TICK_MS = 100
/** Response timeout of a browser, without the time it waits for a processor. */
const PATIENCE_MS = 600
/** The limit in elapsed time, for a browser that gets no processor time at all. */
const MOST_MS = 15_000

interface Watched {
  readonly browser: Browser
  /** Processor time of the browser; null when unknown. */
  readonly usage: () => Promise<Usage | null>
  /** Settles when the browser has ended. */
  readonly gone: Promise<unknown>
}

/**
 * Requests a browser's version every half second. Resolves with false when it did not answer in time, with true when
 * it has ended. Time in which the browser waits for a processor, or in which this process did not run, does not
 * count. Rejects when the request fails.
 */
export async function watchPulse(watched: Watched): Promise<boolean> {
  const { browser, gone } = watched
  const opening = browser.newBrowserCDPSession()
  if (!(await inTime(opening, watched))) return !browser.isConnected()
  const session = await opening
  while (browser.isConnected()) {
    if (!(await inTime(session.send('Browser.getVersion'), watched))) return !browser.isConnected()
    await Promise.race([after(BEAT_MS), gone])
  }
  return true
}

/** Whether the answer arrived, or the browser ended, in time. */
async function inTime(answer: Promise<unknown>, { usage, gone }: Watched): Promise<boolean> {
  const came = Promise.race([answer, gone]).then(() => true)
  // After a timeout, a later rejection must not be unhandled.
  came.catch(() => undefined)
  const start = performance.now()
  let spent = 0
  let last = start
  let before: Usage | null = null
  while (spent < PATIENCE_MS && last - start < MOST_MS) {
    if (await Promise.race([came, after(TICK_MS).then(() => false)])) return true
    const [now, seen] = [performance.now(), await usage()]
    spent += counted(now - last, before, seen)
    before = seen
    last = now
  }
  return false
}

function counted(elapsed: number, before: Usage | null, seen: Usage | null): number {
  const ran = Math.min(elapsed, 2 * TICK_MS)
  return before === null || seen === null || !seen.runnable ? ran : Math.min(ran, Math.max(0, seen.gotMs - before.gotMs))
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
