import type { Page } from 'playwright-core'
import { parseUrl } from '../../core/sdk/url.js'
import { withoutFragment } from '../_shared/address.js'
import { evaluateApart } from './apart.js'
import type { Main } from './watch.js'

/** A page with a longer delay is meant to be read first. */
const MOST_SECONDS = 10
const MOST_CHARACTERS = 4_096

/** Runs in the page. */
const META = `(() => {
  const meta = document.querySelector('meta[http-equiv="refresh" i]')
  return meta === null ? null : { content: meta.content.slice(0, ${MOST_CHARACTERS}), base: document.baseURI }
})()`

/**
 * Milliseconds until the page navigates to another address by a `Refresh` header or a `<meta http-equiv="refresh">`
 * of at most ten seconds; null when it does not. A page that only reloads itself stays. HTML, section "shared
 * declarative refresh steps".
 */
export async function refreshAhead(page: Page, main: Main): Promise<number | null> {
  const here = page.url()
  const header = await main.response?.headerValue('refresh').catch(() => null)
  if (header) return delayOf(header.slice(0, MOST_CHARACTERS), here, here)
  const meta = await evaluateApart(page, META)
  if (typeof meta !== 'object' || meta === null || !('content' in meta) || !('base' in meta)) return null
  return delayOf(String(meta.content), String(meta.base), here)
}

function delayOf(content: string, base: string, here: string): number | null {
  const [, seconds, address] = /^\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content) ?? []
  if (seconds === undefined || address === undefined || Number(seconds) > MOST_SECONDS) return null
  const target = parseUrl(address.trim(), base)
  return target === null || withoutFragment(target.href) === withoutFragment(here) ? null : Number(seconds) * 1_000
}
