import type { Isolated } from '../isolated.js'

/** The extent: the window, the whole page as one picture, or sheets. */
type Extent = 'window' | 'page' | 'sheets'

/**
 * Waits for the fonts and the visible images, then stops all motion: finite animations at their last frame, endless
 * ones at their first. On a whole page, elements fixed to the bottom edge of the window move to the end of the page;
 * on sheets nothing stays fixed, since it would be printed on each of them.
 */
export async function standStill(world: Isolated, extent: Extent, withinMs: number): Promise<void> {
  await world.evaluate(`(async () => {
    const bottom = ${extent === 'window' ? 'innerHeight' : '16384'}
    const waited = [...document.images].filter((e) => {
      if (e.complete || e.currentSrc === '') return false
      const box = e.getBoundingClientRect()
      return box.top < bottom && box.bottom > 0
    })
    const loaded = waited.slice(0, 1000).map((e) => new Promise((done) => {
      e.addEventListener('load', done, { once: true })
      e.addEventListener('error', done, { once: true })
    }))
    let timer
    const late = new Promise((done) => { timer = setTimeout(done, ${withinMs}) })
    await Promise.race([Promise.all([document.fonts.ready, ...loaded]), late])
    clearTimeout(timer)
    const sheet = new CSSStyleSheet()
    sheet.insertRule('*{caret-color:transparent!important}')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    for (const each of document.getAnimations()) {
      if (each.timeline !== document.timeline) continue
      const endless = each.effect === null || each.effect.getComputedTiming().endTime === Infinity
      try { if (endless) each.cancel(); else each.finish() } catch { each.pause() }
    }
    for (const e of [...document.querySelectorAll('svg')].slice(0, 500)) if (e.ownerSVGElement === null) e.pauseAnimations()
    for (const e of document.querySelectorAll('video')) e.pause()
    ${extent === 'window' ? '' : fixedParts(extent)}
  })()`)
}

function fixedParts(extent: 'page' | 'sheets'): string {
  return `
    const fixed = new Set()
    for (const y of [8, innerHeight / 2, innerHeight - 8])
      for (const x of [8, innerWidth / 4, innerWidth / 2, (innerWidth * 3) / 4, innerWidth - 8])
        for (const top of document.elementsFromPoint(x, y).slice(0, 12))
          for (let e = top; e !== null; e = e.parentElement) if (getComputedStyle(e).position === 'fixed') fixed.add(e)
    const rest = document.documentElement.scrollHeight - innerHeight
    for (const e of fixed) {
      ${extent === 'sheets' ? "e.style.setProperty('position', 'absolute', 'important')" : TO_THE_END}
    }`
}

const TO_THE_END = `
      const box = e.getBoundingClientRect()
      if (box.top > innerHeight / 2 && box.bottom > innerHeight - 100 && rest > 0) e.style.setProperty('translate', '0 ' + rest + 'px', 'important')`
