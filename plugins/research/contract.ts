import { by, capability, nullable, oneOf, or, plus, Type, type Static } from '../../core/sdk/index.js'
import { academicSearch } from '../academic/contract.js'
import { execute } from '../code/contract.js'
import { serp } from '../search/contract.js'
import { BUDGETS } from './budget.js'
import { inOneForm, violations } from './input.js'

/** Kinds of source. */
export const SOURCE_TYPES = ['web', 'news', 'academic'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** The deadline is the time budget times this factor; the difference is for the report on what was found. */
const SLACK = 1.05

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => Type.Integer({ minimum: 0, description })
const domains = (description: string) =>
  or(nullable(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 100, description })), null)

const input = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'The research question.' }),
  depth: or(
    {
      ...oneOf('standard', 'deep', 'comprehensive'),
      description:
        'How much is searched and read. standard: up to 5 searches and 8 pages in 60 s; deep: up to 15 and 20 in 3 ' +
        'min; comprehensive: up to 30 and 40 in 8 min.',
    },
    'standard',
  ),
  enrich_entities: or(Type.Boolean({ description: 'Whether to look up the people and companies named in the sources.' }), true),
  include_analysis: or(Type.Boolean({ description: 'Whether to compute charts from tables in the sources, in a sandbox.' }), false),
  synthesis: or(Type.Boolean({ description: 'Whether to write a report; false returns only sources and entities.' }), true),
  output_schema: or(
    nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON Schema (draft 2020-12) of an object to fill from the sources, at most 32,768 characters.',
      }),
    ),
    null,
  ),
  source_types: or(
    Type.Union(
      [
        Type.Array(oneOf(...SOURCE_TYPES), { minItems: 1, maxItems: 10 }),
        Type.String({
          pattern: '^ *(?:web|news|academic) *(?:, *(?:web|news|academic) *)*$',
          maxLength: 200,
          'x-says': 'must be a list of web, news and academic, or a string of these words separated by commas',
        }),
      ],
      { description: 'Kinds of source to use: web, news, academic; a list or a comma-separated string.' },
    ),
    ['web'],
  ),
  domain_whitelist: domains('Use only sources from these domains, compared by registrable domain.'),
  domain_blacklist: domains('Use no sources from these domains, compared by registrable domain.'),
  max_sources: or(Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of sources in the result.' }), 15),
  freshness: or(
    { ...oneOf('any', 'day', 'week', 'month'), description: 'Only sources from the past day, week or month; any: no restriction.' },
    'any',
  ),
})
export type ResearchInput = Static<typeof input>

const section = Type.Object({
  heading: text('Heading of the section.'),
  content: text('Text with [Source n] markers that refer to the ids of sources.'),
})
const report = Type.Object({
  title: text('Title of the report.'),
  summary: text('Short answer with [Source n] markers.'),
  sections: Type.Array(section),
  key_findings: Type.Array(Type.String(), { description: 'Individual findings with their markers.' }),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'From 0 to 1: how much of the question the best sentence of the summary covers, how well the best passage ' +
      'matches it, and how many independent sites agree.',
  }),
})

const source = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Number used in the [Source n] markers.' }),
  url: text('URL of the source.'),
  title: text('Title of the source.'),
  domain: text('Registrable domain of the URL.'),
  snippet: textOrNull('Excerpt on the question.'),
  source_type: { ...oneOf(...SOURCE_TYPES), description: 'Kind of source.' },
})

const person = Type.Object({
  name: text('Name of the person.'),
  role: textOrNull('Role of the person.'),
  company: textOrNull('Company of the person.'),
})
const company = Type.Object({
  name: text('Name of the company.'),
  domain: textOrNull('Registrable domain of the company.'),
  industry: textOrNull('Industry of the company.'),
  employee_count: nullable(Type.Integer({ description: 'Number of employees.' })),
})

const chart = Type.Object({
  title: text('Title of the chart.'),
  url: text('URL of the image; the link expires.'),
  content_type: text('MIME type of the image.'),
  expires_at: text('Expiry time of the link, ISO 8601.'),
  data_url: textOrNull('URL of the data of the chart as CSV.'),
})
const analysis = Type.Object({
  summary: text('What the data shows.'),
  charts: Type.Array(chart, { description: 'Charts computed from tables in the sources.' }),
})

export const STEPS = ['query_expansion', 'web_search', 'content_extraction', 'entity_detection', 'entity_enrichment', 'synthesis'] as const

const output = Type.Object({
  report: nullable(report),
  sources: Type.Array(source, { description: 'Sources, best first.' }),
  entities: Type.Object({ people: Type.Array(person), companies: Type.Array(company) }),
  analysis: nullable(analysis),
  structured_output: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Object described by output_schema; null without output_schema, or when the sources do not contain the data.',
    }),
  ),
  metadata: Type.Object({
    depth_used: oneOf('standard', 'deep', 'comprehensive'),
    sources_searched: count('Distinct URLs found by the searches.'),
    sources_scraped: count('Sources whose text was read.'),
    sources_cited: count('Sources cited in the report.'),
    entities_enriched: count('People and companies for which data was found.'),
    refinement_rounds: count('Additional rounds of search for open points.'),
    budget_exhausted: Type.Boolean({
      description: 'Whether work was left undone because a budget (searches, pages, lookups, tokens or time) was used up.',
    }),
    total_time_ms: Type.Number({ minimum: 0 }),
    steps_completed: Type.Array(oneOf(...STEPS)),
  }),
})
export type ResearchOutput = Static<typeof output>
export type Report = Static<typeof report>
export type Analysis = Static<typeof analysis>
export type Chart = Static<typeof chart>
export type Person = Static<typeof person>
export type Company = Static<typeof company>
export type Step = (typeof STEPS)[number]

/** Searches, reads and compares sources, and reports what they say. */
export const research = capability({
  id: 'research',
  path: '/v1/research',
  title: 'Research a question',
  description:
    'Answers a question with a report whose sentences cite their sources. The question is split and searched for; ' +
    'the best pages are read, ranked and compared; open points are searched for again; people and companies are ' +
    'looked up. Sentences with a figure, name or date that the cited source does not contain are removed. depth sets ' +
    'how much is searched and read. The time and other budgets are never exceeded: when one is used up, the report ' +
    'is written from what was found, and budget_exhausted is true. Works without a language model, using sentences ' +
    'from the sources. source_types adds news and academic papers; output_schema returns the findings as an object; ' +
    'include_analysis adds charts.',
  input,
  output,
  price: plus(by('depth', { standard: 10, deep: 20, comprehensive: 35 }), [
    { when: 'include_analysis', is: true, add: 5 },
    { when: 'source_types', has: 'academic', add: 2 },
    { when: 'enrich_entities', is: false, add: -3 },
    { when: 'synthesis', is: false, add: -5 },
  ]),
  deadline: '63 for depth standard, 189 for deep, 504 for comprehensive; at most 504',
  timeoutMs: ({ depth }) => BUDGETS[depth].timeMs * SLACK,
  mode: 'depth',
  many: 'multi',
  work: 'light',
  uses: [serp, academicSearch],
  requires: ({ source_types, include_analysis }) => [
    source_types.includes('web') || source_types.includes('news') ? serp : academicSearch,
    ...(include_analysis ? [execute] : []),
  ],
  normalise: inOneForm,
  check: violations,
  phrases: [
    { say: '* research report investigate investigation study review analysis sources literature papers thorough' },
    { say: 'research|investigate|study {query}' },
    { say: 'research|investigation on|about|into|of {query}' },
    { say: 'report on|about {query}' },
    { say: 'write|make|prepare|need|want report on|about {query}' },
    { say: 'report with sources on|about {query}' },
    { say: 'write|make|do research|report|investigation' },
    { say: 'deep|in-depth|thorough research|investigation|report', params: { depth: 'deep' } },
    { say: 'literature review of|on {query}', params: { source_types: ['academic'] } },
    { say: 'academic|scientific|peer-reviewed papers|sources|studies|literature', params: { source_types: ['academic'] } },
  ],
  examples: [
    { title: 'A report on a question', params: { query: 'How do heat pumps perform in cold climates?' } },
    {
      title: 'Papers and web pages, in depth',
      params: { query: 'Does intermittent fasting lower blood pressure?', depth: 'deep', source_types: ['web', 'academic'] },
    },
    {
      title: 'Only sources, from two sites',
      params: { query: 'PostgreSQL logical replication limits', synthesis: false, domain_whitelist: ['postgresql.org', 'debian.org'] },
    },
  ],
})
