import { parseUrl } from '../../../core/sdk/url.js'
import { PAGE_RULES, type PageRule, type VerdictKind } from './block-rules.js'
import { words } from './words.js'

/** Properties of a page returned by a browser or vendor. */
export interface Seen {
  /** Its markup, or a vendor's Markdown of it. */
  readonly html: string
  readonly title: string | null
  /** Its first heading. */
  readonly heading: string | null
  /** Characters of visible text. */
  readonly text: number
  /** The same without the frame around the content. */
  readonly mainText: number
  readonly hasPassword: boolean
  /** The requested address, and the page's address after redirects. */
  readonly asked: string
  readonly url: string
}

/** What a page is instead of its content, and its cause. */
export interface Verdict {
  readonly kind: VerdictKind
  readonly name: string
}

/** Characters of markup searched for the signs of such pages. */
const HEAD = 200_000
/** Characters of visible text searched. */
const LONGEST = 4_000
const DIVIDERS = /(?<!\s)\s+[|\-–—·:»«•]+\s+|[|»«•]|:\s/
const LOGIN_HOSTS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.live.com',
  'login.yahoo.com',
  'appleid.apple.com',
  'idmsa.apple.com',
])

/** What a page is instead of its content; null for one with content. This is the only place that decides it. */
export function verdictOf(seen: Seen): Verdict | null {
  if (isForeignLogin(seen)) return { kind: 'login', name: 'a login page' }
  const rule = ruleFor(seen)
  return rule === null ? null : { kind: rule.kind, name: rule.name }
}

/** The first matching rule. */
export function ruleFor(seen: Seen): PageRule | null {
  const head = seen.html.slice(0, HEAD)
  const parts = [...(seen.title ?? '').split(DIVIDERS), seen.title ?? '', seen.heading ?? ''].map((part) => part.trim())
  let text: string | null = null
  const visible = (): string => (text ??= words(head, LONGEST))
  return (
    PAGE_RULES.find(
      (rule) =>
        fitsSize(rule, seen) &&
        fitsAddress(rule, seen) &&
        (rule.password !== true || seen.hasPassword) &&
        (rule.title?.test(seen.title ?? '') ?? true) &&
        (rule.heading === undefined || parts.some((part) => part !== '' && rule.heading?.test(part) === true)) &&
        (rule.all?.every((mark) => head.includes(mark)) ?? true) &&
        (rule.any?.some((mark) => head.includes(mark)) ?? true) &&
        rule.none?.some((mark) => head.includes(mark)) !== true &&
        (rule.words?.test(visible()) ?? true),
    ) ?? null
  )
}

function fitsSize({ maxText, maxMain = Infinity }: PageRule, { text, mainText }: Seen): boolean {
  return text <= maxText && mainText <= maxMain
}

function fitsAddress({ redirected, unlessAsked }: PageRule, { asked, url }: Seen): boolean {
  const [from, to] = [parseUrl(asked), parseUrl(url)]
  if (unlessAsked !== undefined && from !== null && unlessAsked.test(from.pathname + from.search)) return false
  if (redirected === undefined) return true
  if (from === null || to === null || (from.host === to.host && from.pathname === to.pathname)) return false
  return redirected.test(to.pathname)
}

/** A shared login page of many sites. */
function isForeignLogin({ asked, url }: Seen): boolean {
  const [from, to] = [parseUrl(asked), parseUrl(url)]
  return from !== null && to !== null && LOGIN_HOSTS.has(to.hostname) && !LOGIN_HOSTS.has(from.hostname)
}
