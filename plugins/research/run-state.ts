import type { SourceType } from './contract.js'

/** A part of a source that is read and cited as one: some paragraphs, a list, a table or a block of code below one heading. */
export interface Passage {
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Text without markup and links; rows of tables are cells with ` | ` between. At most about 1,000 characters. */
  readonly text: string
  /** Running text, from which sentences may be taken; false for tables and code. */
  readonly isProse: boolean
  /** Which lines of the text are items of a list, from 0. */
  readonly items: ReadonlySet<number>
  /** What is written as code in running text: commands, files, options. */
  readonly code: readonly string[]
  /** The terms of its headings, and all its terms, which begin with those. */
  readonly above: readonly string[]
  readonly terms: readonly string[]
}

/** A source that a search found. */
export interface Source {
  readonly url: string
  readonly title: string
  /** Registrable domain, or the host where it has none. */
  readonly domain: string
  readonly snippet: string | null
  readonly type: SourceType
  /** Milliseconds since 1970; null when nothing tells. */
  readonly published: number | null
  /** Sum of 1 / (60 + place) over the searches that found it (reciprocal rank fusion). */
  readonly found: number
  /** The page as Markdown, or the abstract of a paper, cut; null for a source that was not read. */
  readonly text: string | null
  /** Of the text; of the snippet for a source that was not read. */
  readonly passages: readonly Passage[]
}

/** A source with its place in the answer: the number in `[Source n]`. */
export interface NumberedSource extends Source {
  readonly id: number
}

/** A question that the research is split into. */
export interface Facet {
  /** As the heading of a section of the report. */
  readonly question: string
  /** As it is put to search engines. */
  readonly search: string
}

/** Two or more sources that say different things of one subject, as `contradictions.ts` finds them. */
export interface Contradiction {
  /** What they speak of, such as "capacity of the plant". */
  readonly subject: string
  readonly statements: readonly { readonly source: number; readonly text: string }[]
}
