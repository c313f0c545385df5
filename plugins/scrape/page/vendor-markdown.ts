import { Fault } from '../../../core/sdk/index.js'
import type { ReadPage } from '../contract.js'
import { verdictOf } from '../work/block-page.js'
import { LIMITS } from '../work/limits.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { verdictFault } from './verdict.js'

/** A page converted to Markdown by the vendor. */
interface VendorMarkdown {
  readonly markdown: string
  readonly title: string | null
  readonly description: string | null
  readonly links: readonly string[]
  readonly screenshot_url: string | null
  /** The requested address, and the page's address after redirects. */
  readonly asked: string
  readonly url: string
}

/** A vendor's own Markdown as a page; challenges are recognised by title and words, since the markup is gone. */
export function pageOfMarkdown({ markdown, title, description, links, screenshot_url, asked, url }: VendorMarkdown): ReadPage {
  const content = markdown.trim()
  if (content.length > LIMITS.bytes) throw new Fault('blocked', `the page is larger than ${LIMITS.bytes} characters`)
  const verdict = verdictOf({
    html: content,
    title: title?.slice(0, LIMITS.title) ?? null,
    heading: /^# +(\S.{0,500})$/m.exec(content.slice(0, 20_000))?.[1] ?? null,
    text: content.length,
    mainText: content.length,
    hasPassword: false,
    asked,
    url,
  })
  if (verdict !== null) throw verdictFault(verdict, true)
  if (content === '') throw new Fault('missing', 'the page has no readable content')
  return { content, title: textOrNull(title), description: textOrNull(description), links: webLinks(links), screenshot_url }
}

/** Absolute http and https addresses, each once, at most 5,000 of the first 10,000. */
export function webLinks(links: readonly string[]): string[] {
  const found = new Set<string>()
  for (const link of links.slice(0, LIMITS.addresses)) {
    if (found.size >= LIMITS.links) break
    const url = link.length <= LIMITS.attribute && /^https?:\/\//i.test(link) ? parseUrl(link) : null
    if (url !== null) found.add(url.href)
  }
  return [...found]
}

function textOrNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text.trim()
}
