import { Fault } from '../../../core/sdk/index.js'
import type { Question, ReadPage } from '../contract.js'
import { addresses } from '../work/addresses.js'
import { LIMITS } from '../work/limits.js'

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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
