import { tidy, type Head } from './head.js'
import type { Structured } from './structured.js'

/** Title and description of a page: what it says itself, then what it says to others, then its structured data and first heading. */
export function summaryOf(head: Head, structured: Structured): { title: string | null; description: string | null } {
  return {
    title: head.title ?? head.meta('og:title', 'twitter:title') ?? tidy(structured.title ?? '', 500) ?? head.firstHeading,
    description: head.meta('description', 'og:description', 'twitter:description') ?? tidy(structured.description ?? '', 2000),
  }
}
