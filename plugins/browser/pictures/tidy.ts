import type { Isolated } from '../isolated.js'
import { ACCEPT_LABELS, CONSENT_WORDS, REJECT_LABELS } from './consent-words.js'
import { CHATS, CONSENT } from './tidy-rules.js'

const RULES = {
  consent: CONSENT,
  hide: [...CONSENT.flatMap(({ hide }) => hide), ...CHATS.flatMap(({ hide }) => hide)],
  words: CONSENT_WORDS,
  reject: REJECT_LABELS,
  accept: ACCEPT_LABELS,
}

/**
 * Presses a button that declines, if there is one, and hides the rest by a style sheet, which also hides later
 * additions. Only buttons named by a rule are pressed, or buttons of an overlay that mentions consent whose label
 * exactly declines; never a link or the button of a form. Returns how many were pressed.
 */
const SCRIPT = `((rules) => {
  const seen = (e) => {
    const box = e.getBoundingClientRect()
    return box.width > 1 && box.height > 1 && getComputedStyle(e).visibility !== 'hidden'
  }
  const harmless = (e) => {
    const link = e.closest('a[href]')
    if (link !== null && !/^(#.*|javascript:.*|)$/i.test(link.getAttribute('href').trim())) return false
    return !(e.form && (e.type === 'submit' || e.type === 'image'))
  }
  let pressed = 0
  let found = false
  const press = (e) => {
    if (!seen(e) || !harmless(e)) return false
    e.click()
    pressed += 1
    return true
  }
  for (const { reject, host, hide } of rules.consent) {
    const root = host === undefined ? document : document.querySelector(host)?.shadowRoot ?? null
    if (root === null) continue
    found ||= hide.some((selector) => document.querySelector(selector) !== null)
    reject.some((selector) => [...root.querySelectorAll(selector)].some(press))
  }
  const sheet = new CSSStyleSheet()
  sheet.insertRule(rules.hide.join(',') + '{display:none!important}')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

  const floating = new Set()
  const covers = new Set()
  for (let row = 0; row < 6; row += 1)
    for (let column = 0; column < 5; column += 1) {
      const x = (innerWidth * (column + 0.5)) / 5
      const y = row === 5 ? innerHeight - 8 : (innerHeight * (row + 0.5)) / 5
      for (const top of document.elementsFromPoint(x, y).slice(0, 12))
        for (let e = top; e !== null && e !== document.body && e !== document.documentElement; e = e.parentElement)
          if (/fixed|sticky/.test(getComputedStyle(e).position) || e.matches('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')) floating.add(e)
    }
  const label = (e) => (e.innerText || e.value || e.getAttribute('aria-label') || '').slice(0, 80).replace(/\\s+/g, ' ').trim().toLowerCase().replace(/^[^\\p{L}]+|[^\\p{L}!]+$/gu, '')
  for (const e of floating) {
    if (!e.isConnected || !seen(e)) continue
    const box = e.getBoundingClientRect()
    if (box.width >= innerWidth * 0.95 && box.height >= innerHeight * 0.95) covers.add(e)
    const text = (e.innerText ?? '').slice(0, 4001).toLowerCase()
    if (text.length < 10 || text.length > 4000 || !rules.words.some((word) => text.includes(word))) continue
    const buttons = [...e.querySelectorAll('button,[role=button],a,input[type=button],input[type=submit]')].slice(0, 60).filter(seen)
    const labels = buttons.map(label)
    if (buttons.some((button, at) => rules.reject.includes(labels[at]) && press(button))) {
      found = true
      continue
    }
    if (!labels.some((each) => rules.accept.includes(each) || rules.reject.includes(each))) continue
    found = true
    e.style.setProperty('display', 'none', 'important')
  }
  if (!found) return pressed
  for (const e of covers)
    if (e.isConnected && seen(e) && (e.innerText ?? '').trim() === '' && e.querySelector('img,video,canvas,iframe,svg,object') === null)
      e.style.setProperty('display', 'none', 'important')
  for (const e of [document.documentElement, document.body])
    if (e !== null && /hidden|clip/.test(getComputedStyle(e).overflowY)) e.style.setProperty('overflow', 'visible', 'important')
  return pressed
})(${JSON.stringify(RULES)})`

/** Declines consent banners, hides them and chat windows; true when a button was pressed, which may change the page. */
export async function tidy(world: Isolated): Promise<boolean> {
  const { value } = await world.evaluate(SCRIPT)
  return typeof value === 'number' && value > 0
}
