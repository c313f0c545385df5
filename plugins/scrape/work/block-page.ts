import { BLOCK_RULES } from './block-rules.js'

export interface Seen {
  readonly html: string
  readonly title: string | null
  /** Characters of visible text. */
  readonly text: number
}

/** The name of the protection whose challenge or refusal this page is, or null for an ordinary page. */
export function blockPage({ html, title, text }: Seen): string | null {
  const head = html.slice(0, 200_000)
  for (const rule of BLOCK_RULES) {
    if (text > rule.maxText) continue
    if (rule.title !== undefined && !rule.title.test(title ?? '')) continue
    if (rule.all !== undefined && !rule.all.every((mark) => head.includes(mark))) continue
    if (rule.any !== undefined && !rule.any.some((mark) => head.includes(mark))) continue
    return rule.name
  }
  return null
}
