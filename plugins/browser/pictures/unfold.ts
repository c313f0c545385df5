import type { Isolated } from '../isolated.js'
import { MOST_HEIGHT } from './limits.js'

/** Minimum share of the window for an element that holds the page's content. */
const PART = 0.5
/** Overflow in pixels that is ignored. */
const SLACK = 50
const MOST_ELEMENTS = 20_000

/**
 * Expands an inner scroll container to its full content, when the document itself does not scroll and the container
 * fills most of the window: the container and its ancestors lose their fixed height. True when something scrolls and
 * could not be expanded, so that a picture shows only what is in view.
 */
export async function unfold(world: Isolated): Promise<boolean> {
  const { value } = await world.evaluate(`(async () => {
    const root = document.scrollingElement ?? document.documentElement
    if (root.scrollHeight > innerHeight + ${SLACK}) return false
    const hidden = (e) => e.scrollHeight - e.clientHeight
    let part = null
    for (const e of [...document.querySelectorAll('body *')].slice(0, ${MOST_ELEMENTS})) {
      if (hidden(e) <= ${SLACK} || e.clientWidth * e.clientHeight < innerWidth * innerHeight * ${PART}) continue
      if (!/^(?:auto|scroll)$/.test(getComputedStyle(e).overflowY)) continue
      if (part === null || hidden(e) > hidden(part)) part = e
    }
    if (part === null) return false
    const wanted = Math.min(${MOST_HEIGHT}, root.scrollHeight + hidden(part))
    const before = []
    for (let e = part; e !== null; e = e.parentElement) {
      before.push([e, e.getAttribute('style')])
      const set = (name, value) => e.style.setProperty(name, value, 'important')
      const { position, minHeight } = getComputedStyle(e)
      for (const name of ['height', 'max-height']) set(name, name === 'height' ? 'auto' : 'none')
      for (const name of ['overflow', 'overflow-y']) set(name, 'visible')
      if (minHeight === '0px' || minHeight === 'auto') set('min-height', 'auto')
      if (position === 'fixed') set('position', 'absolute')
      if (e.parentElement !== null && getComputedStyle(e.parentElement).display.includes('flex')) set('flex', '0 0 auto')
    }
    await new Promise((done) => setTimeout(done, 50))
    if (root.scrollHeight >= wanted - ${SLACK}) return false
    for (const [e, style] of before) style === null ? e.removeAttribute('style') : e.setAttribute('style', style)
    return true
  })()`)
  return value === true
}
