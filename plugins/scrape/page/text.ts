import { Fault } from '../../../core/sdk/index.js'
import type { Question, ReadPage } from '../contract.js'
import { LIMITS } from '../work/limits.js'
import { parseUrl } from '../../../core/sdk/url.js'

/** A text as a page: unchanged as Markdown, escaped in a `pre` element as HTML; its web addresses are its links. */
export function textPage(text: string, output: Question['output'], title: string | null = null): ReadPage {
  if (text.length > LIMITS.bytes) throw new Fault('blocked', `the page is larger than ${LIMITS.bytes} characters`)
  const content = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim()
  if (content === '') throw new Fault('missing', 'the page is empty')
  return {
    content: output === 'html' ? `<pre>${escapeHtml(content)}</pre>` : content,
    title,
    description: null,
    links: addresses(content),
    screenshot_url: null,
  }
}

function addresses(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(/https?:\/\/[^\s<>"'`)\]}|\\]{1,2000}/gi)) {
    const address = match[0].replace(/[.,;:!?*_]+$/, '')
    if (parseUrl(address) !== null) found.add(new URL(address).href)
    if (found.size >= LIMITS.links) break
  }
  return [...found]
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
