import type { Isolated } from '../isolated.js'
import { MOST_HEIGHT } from './limits.js'

const STEP_MS = 120
/** Most initially hidden elements that are watched. */
const MOST_WATCHED = 1_000
/** Until elements that fade out at the top are gone. */
const FADE_MS = 500

/**
 * Scrolls down the page window by window, so that content loaded on view is requested, and back to the top. Pictures
 * that the page marks as lazy are requested at once. Elements that were hidden, appeared in view and hid again on the
 * way back are shown. Stops at the maximum height of a picture, or when the time is over.
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
    const isGone = (e) => {
      const { opacity, visibility } = getComputedStyle(e)
      return Number(opacity) < 0.05 || visibility === 'hidden'
    }
    const hidden = []
    for (const e of document.querySelectorAll('body *')) {
      if (hidden.length === ${MOST_WATCHED}) break
      const { top, width, height } = e.getBoundingClientRect()
      if (top > innerHeight / 2 && width * height > 1000 && isGone(e) && (e.parentElement === null || !isGone(e.parentElement))) hidden.push(e)
    }
    const shown = new Set()
    const look = () => {
      for (const e of hidden) {
        const { top, bottom } = e.getBoundingClientRect()
        if (!shown.has(e) && top < innerHeight && bottom > 0 && !isGone(e)) shown.add(e)
      }
    }
    const step = Math.max(Math.floor(innerHeight / (hidden.length === 0 ? 1 : 2)), 256)
    for (let top = step; top < Math.min(root.scrollHeight, ${MOST_HEIGHT}) && performance.now() < end; top += step) {
      scrollTo({ top, behavior: 'instant' })
      await frame()
      if (hidden.length === 0) continue
      await frame()
      look()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await frame()
    if (shown.size === 0) return
    await new Promise((done) => setTimeout(done, ${FADE_MS}))
    for (const e of shown) {
      if (Number(getComputedStyle(e).opacity) > 0.95 && !isGone(e)) continue
      for (const [name, value] of [['transition', 'none'], ['animation', 'none'], ['opacity', '1'], ['visibility', 'visible'], ['transform', 'none']])
        e.style.setProperty(name, value, 'important')
    }
  })()`)
}
