import { nullable, or, port, Type, type Static } from '../../core/sdk/index.js'

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description })
const textOrNull = (description: string) => nullable(Type.String({ description }))

const work = Type.Object({
  title: Type.String({ description: 'Title of the work.' }),
  url: Type.String({ description: 'URL of the work: at its publisher, by its DOI, or on arXiv.' }),
  snippet: textOrNull('Abstract, truncated to 1,500 characters, or venue and date of publication; null when unknown.'),
  authors: Type.Array(Type.String(), { description: 'Authors in order, at most 20.' }),
  published: textOrNull('Publication date: YYYY-MM-DD, YYYY-MM or YYYY.'),
  doi: textOrNull('DOI in lower case, not as a URL.'),
  venue: textOrNull('Journal, conference or archive.'),
  citations: nullable(Type.Integer({ minimum: 0, description: 'Number of citations, as counted by the vendor.' })),
  pdf_url: textOrNull('URL of a PDF, which may be behind a paywall.'),
})

/** A scholarly work as a vendor describes it. */
export type Work = Static<typeof work>

/**
 * Scholarly works for a query, most relevant first. An empty list means that the vendor has none. Vendors know
 * different works: for many results, call several with `gather` and merge their lists with `mergedWorks`.
 */
export const academicSearch = port({
  id: 'academic.search',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Search query: keywords or a question.' }),
    num_results: or(Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum number of works.' }), 10),
    between: or(nullable(Type.Object({ from: day('Earliest publication date.'), until: day('Latest publication date.') })), null),
  }),
  output: Type.Object({ works: Type.Array(work) }),
})

export type AcademicQuestion = Static<typeof academicSearch.input>

export { mergedWorks } from './merge.js'
