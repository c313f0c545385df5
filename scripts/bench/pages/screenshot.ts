import { medianMs, row, type Say } from '../files/figure.js'
import type { PagesWorld } from './world.js'

const CAPTURE = '/v1/screenshots/capture'
const IN_FLIGHT = 4
const CALLS_EACH = 20

/** Pictures of a page by a browser that runs: one after the other, and four at once. */
export async function benchScreenshot({ page, call }: PagesWorld, say: Say): Promise<void> {
  const capture = (more: Readonly<Record<string, unknown>> = {}) => call(CAPTURE, { url: page, ...more })
  say(row('screenshot of 1280 x 720, png', await medianMs(() => capture()), { most: 250, unit: 'ms' }))
  for (const format of ['jpeg', 'webp', 'pdf']) say(row(`the same as ${format}`, await medianMs(() => capture({ format })), { unit: 'ms' }))
  say(row('the whole page as png', await medianMs(() => capture({ full_page: true })), { unit: 'ms' }))
  const began = performance.now()
  const turn = async (): Promise<void> => {
    for (let left = CALLS_EACH; left > 0; left--) await capture()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, turn))
  const rate = (IN_FLIGHT * CALLS_EACH) / ((performance.now() - began) / 1000)
  say(row(`screenshots with ${IN_FLIGHT} in flight`, rate, { least: 8, unit: 'a second' }))
}
