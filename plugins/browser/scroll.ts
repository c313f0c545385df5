import type { Page } from 'playwright-core'
import { evaluateApart } from './apart.js'
import type { NetworkIdle } from './network-idle.js'

const MOST_SCREENS = 10
const IDLE_MS = 150
const EACH_MS = 1_500
/** Time reserved for reading the page. */
const KEEP_MS = 2_000

/** Runs in the page: scrolls one screen; false at its end. */
const STEP = `(() => {
  const e = document.scrollingElement
  if (e === null || e.scrollTop + innerHeight >= e.scrollHeight - 2) return false
  scrollBy({ top: innerHeight, behavior: 'instant' })
  return true
})()`
const TOP = `scrollTo({ top: 0, behavior: 'instant' })`

/** Scrolls down a page screen by screen, 10 screens at most, waiting for what each loads; then back to its top. */
export async function scrollToEnd(page: Page, network: NetworkIdle, left: () => number): Promise<void> {
  for (let screens = 0; screens < MOST_SCREENS && left() > KEEP_MS; screens++) {
    if ((await evaluateApart(page, STEP)) !== true) break
    await network.wait(IDLE_MS, Math.min(EACH_MS, left() - KEEP_MS))
  }
  await evaluateApart(page, TOP)
}
