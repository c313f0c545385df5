import type { SourceType } from './contract.js'

/** A part of a source that is read and cited as one: paragraphs, a list, a table or a code block under one heading. */
export interface Passage {
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Text without markup and links; table rows are cells joined by ` | `. At most about 1,000 characters. */
  readonly text: string
  /** Running text, which can be quoted; false for tables and code. */
  readonly isProse: boolean
  /** Indexes of lines that are list items, from 0. */
  readonly items: ReadonlySet<number>
  /** Inline code in running text: commands, files, options. */
  readonly code: readonly string[]
  /** The terms of its headings, and all its terms, starting with those. */
  readonly above: readonly string[]
  readonly terms: readonly string[]
}

/** A source found by a search. */
export interface Source {
  readonly url: string
  readonly title: string
  /** Registrable domain, or the host without one. */
  readonly domain: string
  readonly snippet: string | null
  readonly type: SourceType
  /** Milliseconds since 1970; null when unknown. */
  readonly published: number | null
  /** Sum of 1 / (60 + rank) over the searches that found it (reciprocal rank fusion). */
  readonly found: number
  /** The page as Markdown, or the abstract of a paper, truncated; null for an unread source. */
  readonly text: string | null
  /** Passages of the text; of the snippet for an unread source. */
  readonly passages: readonly Passage[]
}

/** A source with its number in the answer, as in `[Source n]`. */
export interface NumberedSource extends Source {
  readonly id: number
}

/** One of the questions that the research is split into. */
export interface Facet {
  /** In the form of a section heading. */
  readonly question: string
  /** In the form of a search query. */
  readonly search: string
}

/** Two or more sources with contradicting statements about one subject, as found by `contradictions.ts`. */
export interface Contradiction {
  /** Their subject, such as "capacity of the plant". */
  readonly subject: string
  readonly statements: readonly { readonly source: number; readonly text: string }[]
}
