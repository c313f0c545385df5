import type { Isolated } from '../isolated.js'
import { MOST_HEIGHT } from './limits.js'

const STEP_MS = 120

/**
 * Goes down the page window by window, so that what is loaded when it comes into view is asked for, and back to the top. Pictures that the page
 * marks as lazy are asked for at once. Stops at the lowest line that a picture shows, or when the time is over.
 */
export async function scrollThrough(world: Isolated, withinMs: number): Promise<void> {
  await world.evaluate(`(async () => {
    const end = performance.now() + ${withinMs}
    const frame = () => Promise.race([
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      new Promise((done) => setTimeout(done, ${STEP_MS})),
    ])
    for (const e of [...document.querySelectorAll('img[loading=lazy],iframe[loading=lazy]')].slice(0, 1000))
      if (e.getBoundingClientRect().top < ${MOST_HEIGHT}) e.loading = 'eager'
    const root = document.scrollingElement ?? document.documentElement
    const step = Math.max(innerHeight, 256)
    for (let top = step; top < Math.min(root.scrollHeight, ${MOST_HEIGHT}) && performance.now() < end; top += step) {
      scrollTo({ top, behavior: 'instant' })
      await frame()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await frame()
  })()`)
}
