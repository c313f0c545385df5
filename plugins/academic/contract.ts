import { nullable, or, port, Type, type Static } from '../../core/sdk/index.js'

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description })
const textOrNull = (description: string) => nullable(Type.String({ description }))

const work = Type.Object({
  title: Type.String({ description: 'Title.' }),
  url: Type.String({ description: 'Page of the work: at its publisher, by its DOI, or at arXiv.' }),
  snippet: textOrNull('Abstract, cut to 1,500 characters, or where and when it was published; null when unknown.'),
  authors: Type.Array(Type.String(), { description: 'Authors in their order, at most 20.' }),
  published: textOrNull('When it was published, as YYYY-MM-DD, YYYY-MM or YYYY.'),
  doi: textOrNull('DOI in lower case, without an address.'),
  venue: textOrNull('Journal, conference or archive.'),
  citations: nullable(Type.Integer({ minimum: 0, description: 'How often it is cited, as the vendor counts.' })),
  pdf_url: textOrNull('Address of a PDF, which may be behind a paywall.'),
})

/** A scholarly work as a vendor describes it. */
export type Work = Static<typeof work>

/**
 * Scholarly works for a query, most relevant first. A list that is empty says that the vendor has none; vendors know different works, so that who wants
 * many asks several (`gather`) and puts their lists together with `mergedWorks`.
 */
export const academicSearch = port({
  id: 'academic.search',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Words, or a question.' }),
    num_results: or(Type.Integer({ minimum: 1, maximum: 50, description: 'Works at most.' }), 10),
    between: or(nullable(Type.Object({ from: day('First day of publishing.'), until: day('Last day of publishing.') })), null),
  }),
  output: Type.Object({ works: Type.Array(work) }),
})

export type AcademicQuestion = Static<typeof academicSearch.input>

export { mergedWorks } from './merge.js'
