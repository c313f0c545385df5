import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

export { bm25 } from './answer/bm25.js'
export { hostsOf, isAddress, withoutLinks } from './answer/links.js'
export { prose } from './answer/prose.js'
export { terms, topic } from './answer/words.js'
export { pageKey } from './result.js'
export { line, lines, link, plain } from './text.js'

const query = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'What to search for, in words or as a question.' })
const numResults = or(Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of organic results.' }), 10)
const country = or(
  Type.String({
    pattern: '^[A-Za-z]{2}$',
    'x-says': 'must be a country of two letters (ISO 3166) such as de',
    description: 'Country whose results are wanted: two letters (ISO 3166), in any case.',
  }),
  'us',
)
const freshness = or(
  { ...oneOf('any', 'day', 'week', 'month'), description: 'Only pages of the past day, week or month; any for no limit.' },
  'any',
)
const question = { query, num_results: numResults, country, freshness }

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => nullable(Type.String({ description }))

const organic = Type.Object({
  url: text('Address of the page.'),
  title: text('Title of the page.'),
  snippet: textOrNull('What the page says about the query; null when unknown.'),
  position: Type.Integer({ minimum: 1, description: 'Rank, from 1.' }),
})
const knowledgeGraph = Type.Object(
  {
    title: text('Name of the thing.'),
    type: textOrNull('What kind of thing it is.'),
    description: textOrNull('What it is, in a few sentences.'),
    url: textOrNull('Its own page, or where the description comes from.'),
    image_url: textOrNull('A picture of it.'),
    attributes: Type.Record(Type.String(), Type.String(), { description: 'Facts by name.' }),
  },
  { description: 'What is known of the thing asked about; null when no engine had it.' },
)
const featuredSnippet = Type.Object(
  { title: textOrNull('Title of its source.'), text: text('The direct answer.'), url: textOrNull('Its source.') },
  { description: 'Direct answer given by the engine; null when there was none.' },
)
const citation = Type.Object({
  index: Type.Integer({ minimum: 1, description: 'The number in the markers [1] of the answer.' }),
  title: text('Title of the source.'),
  url: text('Address of the source.'),
  snippet: textOrNull('What the source says; null when unknown.'),
})

const found = {
  organic_results: Type.Array(organic, { description: 'Search results, best first.' }),
  knowledge_graph: nullable(knowledgeGraph),
  featured_snippet: nullable(featuredSnippet),
}
const answered = {
  answer: textOrNull(
    'Answer put together from the sources, with markers [1] that point to the citations. Null in mode serp, and where the results hold none: the call then costs what serp costs.',
  ),
  citations: Type.Array(citation, { description: 'Sources of the answer.' }),
  ...found,
}
const results = Type.Object(found)

export type Question = Static<ReturnType<typeof questionShape>>
export type Results = Static<typeof results>
export type Organic = Static<typeof organic>
export type KnowledgeGraph = Static<typeof knowledgeGraph>
export type FeaturedSnippet = Static<typeof featuredSnippet>
export type Citation = Static<typeof citation>

function questionShape() {
  return Type.Object(question)
}

/** Search-engine results as they are. An empty list is a result. */
export const serp = port({ id: 'search.serp', input: questionShape(), output: results })

/**
 * An answer with citations, by a vendor that searches itself or over results of `search.serp`, which the port asks unless it is given them.
 * A vendor that finds no answer has nothing.
 */
export const answer = port({
  id: 'search.answer',
  input: Type.Object({
    ...question,
    results: or(nullable(results), null),
    /** True: only vendors that search by themselves, as who asks searches too. False: only the others, as those were asked. Null: all. */
    own_search: or(nullable(Type.Boolean()), null),
    /** Of the capability, for vendors that answer its modes in different ways. */
    mode: or(oneOf('ai', 'deep'), 'ai'),
  }),
  output: Type.Object({ ...answered, method: { ...oneOf('vendor', 'model', 'extractive'), description: 'Who wrote the answer.' } }),
})

export type Answered = Static<typeof answer.output>

/** Web search: raw results, an answer with citations, or both. */
export const search = capability({
  id: 'search',
  path: '/v1/search',
  phrases: [
    { say: '* internet online web news latest current results google facts' },
    { say: 'search|google|look web|internet|online for|about {query}' },
    { say: 'search|google for|about {query}' },
    { say: 'search|google {query}' },
    { say: 'look up {query} online' },
    { say: 'find|look online|web|internet {query}' },
    { say: 'search results for|about|on {query}', params: { mode: 'serp' } },
    { say: 'search results', params: { mode: 'serp' } },
    { say: 'results for|about|on {query}', params: { mode: 'serp' } },
    { say: 'pages|websites|links about|on|for {query}', params: { mode: 'serp' } },
    { say: 'news about|on|of {query}' },
    { say: 'answer|explain {query}' },
    { say: 'web search' },
    { say: '{query}?' },
  ],
  title: 'Search the web',
  description:
    'Searches the web. Mode ai answers the question in a few sentences with citations and suits questions; serp returns the results of search engines as they are ' +
    '(address, title, snippet, knowledge graph, featured snippet) and suits finding pages; deep gives both at once. Results can be limited to a country and to the past day, week or month.',
  input: Type.Object({
    query,
    mode: or({ ...oneOf('serp', 'ai', 'deep'), description: 'serp: raw results; ai: an answer with citations; deep: both.' }, 'ai'),
    num_results: numResults,
    country,
    freshness,
  }),
  output: Type.Object(answered),
  price: by('mode', { serp: 1, ai: 2, deep: 3 }),
  charged: (input, { answer }) => (answer === null ? { ...input, mode: 'serp' as const } : input),
  timeoutMs: 30_000,
  work: 'light',
  uses: [serp, answer],
  requires: ({ mode }) => (mode === 'serp' ? [serp] : mode === 'ai' ? [answer] : [serp, answer]),
  examples: [
    { title: 'Answer a question with citations', params: { query: 'How does a heat pump work in winter?' } },
    { title: 'Find pages, as search results', params: { query: 'open source API gateway', mode: 'serp', num_results: 20 } },
    {
      title: 'News of the past week in Germany',
      params: { query: 'Wärmepumpe Förderung', mode: 'serp', country: 'de', freshness: 'week' },
    },
    { title: 'Results and an answer in one call', params: { query: 'electric bus batteries lifetime', mode: 'deep' } },
  ],
})
