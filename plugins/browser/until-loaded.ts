import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import { pageVerdict } from '../scrape/contract.js'
import { evaluateApart } from './apart.js'
import type { Settled } from './visit.js'

const EVERY_MS = 100
/** Time reserved for reading the page. */
const KEEP_MS = 2_000

/** Runs in the page: its text with the number of its elements; null for a page without scripts or with more text. */
const SHOWN = `(() => {
  const text = document.body === null ? '' : document.body.innerText.trim()
  return text.length > 60 || document.scripts.length === 0 ? null : text + ' ' + document.querySelectorAll('*').length
})()`

/**
 * Waits, while there is time, for a page that is empty or shows a loading message although no request is pending: a
 * script may continue after a timer. True when it waited.
 */
export async function untilLoaded({ page, look, left }: Settled, requestedUrl: string, context: ProviderContext): Promise<boolean> {
  let before: unknown
  for (let waited = false; ; waited = true) {
    const shown = await evaluateApart(page, SHOWN)
    if (shown === null) return waited
    // Undefined while the page navigates.
    if (shown !== undefined && shown !== before) {
      if (!(await isEmpty(look, requestedUrl, context))) return waited
      before = shown
    }
    if (left() < KEEP_MS) return waited
    if (!waited) context.progress('waiting for a page that is loading')
    await context.wait(EVERY_MS)
  }
}

async function isEmpty(look: Settled['look'], requestedUrl: string, context: ProviderContext): Promise<boolean> {
  try {
    const { html, final_url } = await look()
    const { verdict } = await context.call(pageVerdict, { html, asked: requestedUrl, url: final_url })
    return verdict?.kind === 'empty'
  } catch (error) {
    if (Fault.is(error)) throw error
    context.log('the page navigated while it was read', { error: String(error).slice(0, 300) })
    return true
  }
}
