import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

export { bm25 } from './answer/bm25.js'
export { hostsOf, isAddress, withoutLinks } from './answer/links.js'
export { prose } from './answer/prose.js'
export { terms, topic } from './answer/words.js'
export { pageKey } from './result.js'
export { line, lines, link, plain } from './text.js'

const query = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Search query: keywords or a question.' })
const numResults = or(Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of organic results.' }), 10)
const country = or(
  Type.String({
    pattern: '^[A-Za-z]{2}$',
    'x-says': 'must be a two-letter ISO 3166-1 country code such as de',
    description: 'Country to return results for: a two-letter ISO 3166-1 code, in upper or lower case.',
  }),
  'us',
)
const freshness = or(
  { ...oneOf('any', 'day', 'week', 'month'), description: 'Only results from the past day, week or month; any: no restriction.' },
  'any',
)
const question = { query, num_results: numResults, country, freshness }

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => nullable(Type.String({ description }))

const organic = Type.Object({
  url: text('URL of the page.'),
  title: text('Title of the page.'),
  snippet: textOrNull('Excerpt about the query; null when unknown.'),
  position: Type.Integer({ minimum: 1, description: 'Rank, starting at 1.' }),
})
const knowledgeGraph = Type.Object(
  {
    title: text('Name of the entity.'),
    type: textOrNull('Kind of entity.'),
    description: textOrNull('Description of the entity in a few sentences.'),
    url: textOrNull('Website of the entity, or source of the description.'),
    image_url: textOrNull('URL of an image of the entity.'),
    attributes: Type.Record(Type.String(), Type.String(), { description: 'Facts about the entity, by name.' }),
  },
  { description: 'Knowledge graph entry for the query; null when no search engine returned one.' },
)
const featuredSnippet = Type.Object(
  { title: textOrNull('Title of the source.'), text: text('The direct answer.'), url: textOrNull('URL of the source.') },
  { description: 'Direct answer of the search engine; null when there is none.' },
)
const citation = Type.Object({
  index: Type.Integer({ minimum: 1, description: 'Number used in the [1] markers of the answer.' }),
  title: text('Title of the source.'),
  url: text('URL of the source.'),
  snippet: textOrNull('Excerpt from the source; null when unknown.'),
})

const found = {
  organic_results: Type.Array(organic, { description: 'Search results, best first.' }),
  knowledge_graph: nullable(knowledgeGraph),
  featured_snippet: nullable(featuredSnippet),
}
const answered = {
  answer: textOrNull(
    'Answer synthesized from the sources, with markers such as [1] that refer to citations. Null in mode serp, and ' +
      'when the results contain no answer; the call then costs the same as mode serp.',
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

/** Raw search-engine results. An empty list is a valid result. */
export const serp = port({ id: 'search.serp', input: questionShape(), output: results })

/**
 * An answer with citations, from a vendor that runs its own search, or from results of `search.serp`, which the port
 * calls unless `results` is given. A vendor that finds no answer returns no result.
 */
export const answer = port({
  id: 'search.answer',
  input: Type.Object({
    ...question,
    results: or(nullable(results), null),
    /** True: only vendors with their own search, because the caller searches too. False: only the others. Null: all. */
    own_search: or(nullable(Type.Boolean()), null),
    /** Mode of the capability, for vendors that answer its modes differently. */
    mode: or(oneOf('ai', 'deep'), 'ai'),
  }),
  output: Type.Object({ ...answered, method: { ...oneOf('vendor', 'model', 'extractive'), description: 'How the answer was written.' } }),
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
    'Searches the web. Mode ai answers a question in a few sentences with citations; serp returns raw search-engine ' +
    'results (URL, title, snippet, knowledge graph, featured snippet); deep returns both. Use ai for questions and ' +
    'serp to find pages. Results can be restricted to a country and to the past day, week or month.',
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
    { title: 'Find pages as raw search results', params: { query: 'open source API gateway', mode: 'serp', num_results: 20 } },
    {
      title: 'News from the past week in Germany',
      params: { query: 'Wärmepumpe Förderung', mode: 'serp', country: 'de', freshness: 'week' },
    },
    { title: 'Raw results and an answer in one call', params: { query: 'electric bus batteries lifetime', mode: 'deep' } },
  ],
})
