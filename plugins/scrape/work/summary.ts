import { tidy, type Head } from './head.js'
import type { Structured } from './structured.js'

/** Title and description of a page: its own, then those for link previews, then structured data and first heading. */
export function summaryOf(head: Head, structured: Structured): { title: string | null; description: string | null } {
  return {
    title: head.title ?? head.meta('og:title', 'twitter:title') ?? tidy(structured.title ?? '', 500) ?? head.firstHeading,
    description: head.meta('description', 'og:description', 'twitter:description') ?? tidy(structured.description ?? '', 2000),
  }
}
