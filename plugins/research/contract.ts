import { by, capability, nullable, oneOf, or, plus, Type, type Static } from '../../core/sdk/index.js'
import { academicSearch } from '../academic/contract.js'
import { execute } from '../code/contract.js'
import { serp } from '../search/contract.js'
import { BUDGETS } from './budget.js'
import { inOneForm, violations } from './input.js'

/** What a source is. */
export const SOURCE_TYPES = ['web', 'news', 'academic'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** A deadline is this much longer than the time budget, in which the report is put together from what is there. */
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
        'How much is searched and read. standard: up to 5 searches and 8 pages in 60 s; deep: 15 and 20 in 3 min; comprehensive: 30 and 40 in 8 min.',
    },
    'standard',
  ),
  enrich_entities: or(Type.Boolean({ description: 'Look up the people and companies that the sources name.' }), true),
  include_analysis: or(Type.Boolean({ description: 'Compute charts from the tables of the sources, in a sandbox.' }), false),
  synthesis: or(Type.Boolean({ description: 'False gives sources and entities without a report.' }), true),
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
          'x-says': 'must be a list of web, news and academic, or these words with commas between',
        }),
      ],
      { description: 'Where to look: web, news, academic; a list, or one text with commas.' },
    ),
    ['web'],
  ),
  domain_whitelist: domains('Only sources of these domains, compared by registrable domain.'),
  domain_blacklist: domains('No sources of these domains, compared by registrable domain.'),
  max_sources: or(Type.Integer({ minimum: 1, maximum: 100, description: 'Most sources in the answer.' }), 15),
  freshness: or(
    { ...oneOf('any', 'day', 'week', 'month'), description: 'Only pages of the past day, week or month; any for no limit.' },
    'any',
  ),
})
export type ResearchInput = Static<typeof input>

const section = Type.Object({
  heading: text('What the section is about.'),
  content: text('Text with markers [Source n] that point to the ids of sources.'),
})
const report = Type.Object({
  title: text('Title of the report.'),
  summary: text('The answer in short, with markers [Source n].'),
  sections: Type.Array(section),
  key_findings: Type.Array(Type.String(), { description: 'Single statements with their markers.' }),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'From 0 to 1: how much of the question the best sentence of the summary has, how well the best passage fits it, and how many independent sites agree.',
  }),
})

const source = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'The number in the markers [Source n].' }),
  url: text('Address of the source.'),
  title: text('Title of the source.'),
  domain: text('Registrable domain of the address.'),
  snippet: textOrNull('What it says on the question.'),
  source_type: { ...oneOf(...SOURCE_TYPES), description: 'What kind of source it is.' },
})

const person = Type.Object({
  name: text('Name of the person.'),
  role: textOrNull('What the person does.'),
  company: textOrNull('Where the person does it.'),
})
const company = Type.Object({
  name: text('Name of the company.'),
  domain: textOrNull('Its registrable domain.'),
  industry: textOrNull('Its industry.'),
  employee_count: nullable(Type.Integer({ description: 'Number of employees.' })),
})

const chart = Type.Object({
  title: text('What the chart shows.'),
  url: text('Address of the picture; the link ends.'),
  content_type: text('Media type of the picture.'),
  expires_at: text('When the link ends, ISO 8601.'),
  data_url: textOrNull('Address of the figures of the chart as CSV.'),
})
const analysis = Type.Object({
  summary: text('What the figures show.'),
  charts: Type.Array(chart, { description: 'Charts computed from tables of the sources.' }),
})

export const STEPS = ['query_expansion', 'web_search', 'content_extraction', 'entity_detection', 'entity_enrichment', 'synthesis'] as const

const output = Type.Object({
  report: nullable(report),
  sources: Type.Array(source, { description: 'The best sources first.' }),
  entities: Type.Object({ people: Type.Array(person), companies: Type.Array(company) }),
  analysis: nullable(analysis),
  structured_output: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'What output_schema asked for; null when not asked, or when the sources do not hold it.',
    }),
  ),
  metadata: Type.Object({
    depth_used: oneOf('standard', 'deep', 'comprehensive'),
    sources_searched: count('Different addresses that the searches found.'),
    sources_scraped: count('Sources whose text was read.'),
    sources_cited: count('Sources that the report points to.'),
    entities_enriched: count('People and companies about whom something was found.'),
    refinement_rounds: count('Rounds that searched for what was still unanswered.'),
    budget_exhausted: Type.Boolean({ description: 'Something was left undone for want of searches, pages, look-ups, tokens or time.' }),
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
    'Answers a question with a report whose sentences point to the sources they come from. The question is split, searched for, the best pages are read, ranked and compared; ' +
    'what stays open is searched for again; people and companies are looked up. Sentences with a figure, a name or a date that the cited source does not hold are left out. ' +
    'depth sets how much is searched and read. The time and the other budgets are never passed: what is there when they end becomes the report, with budget_exhausted. ' +
    'Works without a language model, by sentences taken from the sources. source_types adds news and papers; output_schema gives the findings as an object; include_analysis adds charts.',
  input,
  output,
  price: plus(by('depth', { standard: 10, deep: 20, comprehensive: 35 }), [
    { when: 'include_analysis', is: true, add: 5 },
    { when: 'source_types', has: 'academic', add: 2 },
    { when: 'enrich_entities', is: false, add: -3 },
    { when: 'synthesis', is: false, add: -5 },
  ]),
  deadline: '63 for depth standard, 189 for deep, 504 for comprehensive: at most 504',
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
      title: 'Papers and pages, in depth',
      params: { query: 'Does intermittent fasting lower blood pressure?', depth: 'deep', source_types: ['web', 'academic'] },
    },
    {
      title: 'Sources alone, of two sites',
      params: { query: 'PostgreSQL logical replication limits', synthesis: false, domain_whitelist: ['postgresql.org', 'debian.org'] },
    },
  ],
})
