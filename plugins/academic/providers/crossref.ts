import { httpProvider, nullable, Type, type Static } from '../../../core/sdk/index.js'
import { crossref as vendor } from '../../_vendors/crossref.js'
import { listAt, textsIn, valueAt } from '../../_shared/value-at.js'
import { academicSearch } from '../contract.js'
import { plainQuery } from '../query.js'
import { textOfMarkup, workOf } from '../work-of.js'

const FIELDS = 'DOI,URL,title,author,issued,published,abstract,container-title,is-referenced-by-count,link,resource'
const text = Type.Optional(nullable(Type.String()))
const item = Type.Object({
  DOI: text,
  URL: text,
  abstract: text,
  'is-referenced-by-count': Type.Optional(nullable(Type.Number())),
})
const reply = Type.Object({ message: Type.Object({ items: Type.Array(item) }) })

export const crossref = httpProvider(academicSearch, {
  vendor,
  rank: 30,
  timeoutMs: 10_000,
  request: ({ query, num_results, between }, { settings: { mailto } }) => ({
    path: '/works',
    query: {
      query: plainQuery(query) || query,
      rows: num_results,
      filter: between === null ? undefined : `from-pub-date:${between.from},until-pub-date:${between.until}`,
      select: FIELDS,
      mailto: mailto ?? undefined,
    },
  }),
  reply,
  map: ({ message }) => ({ works: message.items.flatMap((each) => workOf(rawOf(each)) ?? []) }),
})

function rawOf(each: Static<typeof item>) {
  return {
    title: textOfMarkup(first(each, 'title') ?? ''),
    urls: [valueAt(each, 'resource', 'primary', 'URL'), each.URL].map((url) => (typeof url === 'string' ? url : null)),
    abstract: textOfMarkup(each.abstract ?? ''),
    authors: listAt(each, 'author').map(nameOf),
    published: dateOf(each, 'published') ?? dateOf(each, 'issued'),
    doi: each.DOI,
    venue: textOfMarkup(first(each, 'container-title') ?? ''),
    citations: each['is-referenced-by-count'],
    pdfs: listAt(each, 'link').map((link) =>
      valueAt(link, 'content-type') === 'application/pdf' ? (textsIn([valueAt(link, 'URL')])[0] ?? null) : null,
    ),
  }
}

function first(value: unknown, name: string): string | undefined {
  return textsIn(listAt(value, name))[0]
}

/** A person has a given and a family name, an organisation one name. */
function nameOf(author: unknown): string {
  const [given, family, name] = ['given', 'family', 'name'].map((part) => textsIn([valueAt(author, part)])[0] ?? '')
  return `${given ?? ''} ${family ?? ''}`.trim() || (name ?? '')
}

/** Year, month and day as far as available; a date without a year is written `[[null]]`. */
function dateOf(value: unknown, name: string): string | null {
  const [year, ...rest] = listAt(value, name, 'date-parts', 0)
  if (typeof year !== 'number') return null
  const unknown = rest.findIndex((part) => typeof part !== 'number')
  const known = rest.slice(0, unknown === -1 ? 2 : unknown)
  return [String(year).padStart(4, '0'), ...known.map((part) => String(part).padStart(2, '0'))].join('-')
}
