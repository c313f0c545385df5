import { httpProvider, nullable, Type, type Static } from '../../../core/sdk/index.js'
import { textAt } from '../../_vendors/text-at.js'
import { openalex as vendor } from '../../_vendors/openalex.js'
import { listAt } from '../../_shared/value-at.js'
import { academicSearch } from '../contract.js'
import { plainQuery } from '../query.js'
import { textOfMarkup, workOf } from '../work-of.js'

const FIELDS =
  'id,doi,display_name,publication_date,publication_year,primary_location,best_oa_location,open_access,authorships,cited_by_count,abstract_inverted_index'
/** Most words of an abstract that are read. */
const MOST_WORDS = 1_000

const item = Type.Object({
  id: Type.String(),
  cited_by_count: Type.Optional(nullable(Type.Number())),
  abstract_inverted_index: Type.Optional(nullable(Type.Record(Type.String(), Type.Array(Type.Number())))),
})
const reply = Type.Object({ results: Type.Array(item) })

export const openalex = httpProvider(academicSearch, {
  vendor,
  rank: 20,
  timeoutMs: 10_000,
  request: ({ query, num_results, between }) => ({
    path: '/works',
    query: {
      search: plainQuery(query) || query,
      per_page: num_results,
      filter: [
        'is_retracted:false',
        ...(between === null ? [] : [`from_publication_date:${between.from}`, `to_publication_date:${between.until}`]),
      ].join(','),
      select: FIELDS,
    },
  }),
  reply,
  map: ({ results }) => ({ works: results.flatMap((each) => workOf(rawOf(each)) ?? []) }),
})

function rawOf(each: Static<typeof item>) {
  return {
    title: textOfMarkup(textAt(each, 'display_name')),
    urls: [textAt(each, 'primary_location', 'landing_page_url'), textAt(each, 'doi'), each.id],
    abstract: abstractOf(each.abstract_inverted_index ?? {}),
    authors: listAt(each, 'authorships').map((authorship) => textAt(authorship, 'author', 'display_name')),
    published: textAt(each, 'publication_date') || textAt(each, 'publication_year'),
    doi: textAt(each, 'doi'),
    venue: textAt(each, 'primary_location', 'source', 'display_name'),
    citations: each.cited_by_count,
    pdfs: [textAt(each, 'best_oa_location', 'pdf_url'), textAt(each, 'primary_location', 'pdf_url'), textAt(each, 'open_access', 'oa_url')],
  }
}

/** The text of an inverted index, which lists the positions of each word. */
function abstractOf(index: Readonly<Record<string, readonly number[]>>): string {
  const words: string[] = []
  for (const [word, places] of Object.entries(index))
    for (const place of places) if (Number.isInteger(place) && place >= 0 && place < MOST_WORDS) words[place] = word
  return Object.values(words).join(' ')
}
