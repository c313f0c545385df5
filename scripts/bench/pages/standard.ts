import { medianMs, row, type Say } from '../files/figure.js'
import { browserMib, endBrowsers } from './browser.js'
import type { PagesWorld } from './world.js'

const PAGES = 1_000
/** Pages over which the most memory is taken, at the beginning and at the end. */
const SPAN = 200
const IN_FLIGHT = 4

/** Pages read in a browser: how long one takes, whether memory stays what it is, and how soon a browser that was killed is replaced. */
export async function benchStandard({ pid, page, call }: PagesWorld, say: Say): Promise<void> {
  const read = (): Promise<void> => call('/v1/scrape', { url: page, mode: 'standard' })
  say(row('scrape standard', await medianMs(read), { most: 700, unit: 'ms' }))
  const sizes: number[] = []
  const turn = async (): Promise<void> => {
    while (sizes.length < PAGES) {
      await read()
      sizes.push(browserMib(pid))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, turn))
  const [first, last] = [Math.max(...sizes.slice(0, SPAN)), Math.max(...sizes.slice(PAGES - SPAN, PAGES))]
  say(row(`memory of the browsers, the most in the first ${SPAN} of ${PAGES} pages`, first, { unit: 'MiB' }))
  say(row(`the most in the last ${SPAN} beside that`, last / first, { most: 1.1, unit: 'times' }))
  endBrowsers(pid)
  const began = performance.now()
  await read()
  say(row('the next page after the browser was killed', performance.now() - began, { most: 2_000, unit: 'ms' }))
}
