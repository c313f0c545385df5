import { expect } from 'chai'
import { ResearchStage, stagePage, type StagePage } from '../../test/support/research-stage.js'
import { defaultsOf } from '../../core/sdk/index.js'
import { research } from './contract.js'
import { citedIn } from './text/markers.js'

const PUMPS: readonly StagePage[] = [
  stagePage(
    'alpha.test/heat-pumps',
    'How heat pumps work in winter',
    'A heat pump moves heat from the outside air into the house, and it does so in winter too.',
    'At minus 10 degrees an air source heat pump still delivers 2.5 units of heat for each unit of electricity.',
    'Acme CEO First Last said that 40 percent of the houses in the region have one.',
  ),
  stagePage(
    'beta.test/winter',
    'Heat pumps in cold climates',
    'In cold climates a heat pump loses capacity, and below minus 20 degrees an electric heater takes over.',
    'Defrosting costs about 5 percent of the energy of a winter.',
    'Norway has more than 1,500,000 heat pumps.',
  ),
  stagePage('gamma.test/kettles', 'Red kettles', 'A kettle boils water in a minute. A heat source is below it.'),
]

describe('research: a report without a language model', function () {
  this.timeout(60_000)
  let stage: ResearchStage
  before(async () => {
    stage = await ResearchStage.start()
  })
  beforeEach(() => {
    stage.clear()
    stage.pages = PUMPS
  })
  after(async () => {
    await stage?.close()
  })

  it('is made of sentences of the sources, each with the marker of a source that was read and holds it', async () => {
    const { data, metadata, credits_used: credits } = await stage.answered({ query: 'How does a heat pump work in winter?' })
    const { report } = data
    if (report === null) return expect.fail('no report')
    expect(report.title).to.equal('How does a heat pump work in winter?')
    const texts = [report.summary, ...report.sections.map(({ content }) => content), ...report.key_findings]
    const pages = new Map(data.sources.map(({ id, url }) => [id, PUMPS.find(({ at }) => stage.urlOf(at) === url)?.html ?? '']))
    for (const sentence of texts.join('\n').split(/(?<=\[Source \d+\]\.) |\n+/)) {
      const ids = [...citedIn(sentence)]
      const words = sentence.replace(/ ?\[Source \d+\]/g, '').trim()
      expect(ids.length, sentence).to.equal(1)
      expect(pages.get(ids[0] ?? 0), sentence).to.include(words)
    }
    expect(report.summary).to.include('moves heat from the outside air')
    expect(report.key_findings.length).to.be.within(1, 5)
    expect(report.confidence).to.be.within(0.3, 1)
    expect(data.metadata.steps_completed).to.include.members([
      'query_expansion',
      'web_search',
      'content_extraction',
      'entity_detection',
      'synthesis',
    ])
    expect(data.metadata).to.include({
      depth_used: 'standard',
      sources_searched: 3,
      sources_scraped: 3,
      refinement_rounds: data.metadata.refinement_rounds,
    })
    expect(metadata.notes).to.include('The report is made of sentences taken from the sources; no language model wrote it.')
    expect(credits).to.equal(10)
  })

  it('the best source comes first, and ids count from 1 in that order', async () => {
    const { data } = await stage.answered({ query: 'How does a heat pump work in winter?' })
    expect(data.sources.map(({ id }) => id)).to.deep.equal([1, 2, 3])
    expect(data.sources[0]?.domain).to.equal('alpha.test')
    expect(data.sources.at(-1)?.domain).to.equal('gamma.test')
    expect(data.sources.every(({ source_type }) => source_type === 'web')).to.equal(true)
  })

  it('synthesis false gives sources and entities without a report', async () => {
    const { data, credits_used: credits } = await stage.answered({ query: 'heat pump winter', synthesis: false, enrich_entities: false })
    expect(data.report).to.equal(null)
    expect(data.sources.length).to.be.greaterThan(0)
    expect(data.entities.people).to.deep.include({ name: 'First Last', role: 'ceo', company: 'Acme' })
    expect(data.metadata.steps_completed).not.to.include.members(['synthesis'])
    expect(data.metadata.steps_completed).not.to.include.members(['entity_enrichment'])
    expect([data.metadata.sources_cited, credits]).to.deep.equal([0, 2])
  })

  it('each part of a question has its own section', async () => {
    const { data } = await stage.answered({ query: 'How does a heat pump work in winter? How many heat pumps has Norway?' })
    const section = data.report?.sections.find(({ heading }) => heading === 'How many heat pumps has Norway')
    expect(section?.content).to.include('Norway has more than 1,500,000 heat pumps [Source ')
  })

  it('a whitelist and a blacklist hold for all sources, and pages of others are not fetched', async () => {
    const only = await stage.answered({ query: 'heat pump winter', domain_whitelist: ['beta.test'] })
    expect(only.data.sources.map(({ domain }) => domain)).to.deep.equal(['beta.test'])
    expect(stage.fetched.every((at) => at.startsWith('beta.test/'))).to.equal(true)
    expect(stage.searched.some((query) => query.endsWith(' site:beta.test'))).to.equal(true)
    stage.fetched.length = 0
    const without = await stage.answered({ query: 'heat pump winter', domain_blacklist: ['beta.test', 'gamma.test'] })
    expect(without.data.sources.map(({ domain }) => domain)).to.deep.equal(['alpha.test'])
    expect(stage.fetched).to.deep.equal(['alpha.test/heat-pumps'])
  })

  it('a copy of a page at another address is no second source', async () => {
    const [first] = PUMPS
    if (first === undefined) return expect.fail('no page')
    const long = Array.from({ length: 12 }, (_, at) => `A heat pump has part number ${at} that the winter of year ${at + 7} did not harm.`)
    const original = stagePage('alpha.test/a', 'Heat pumps', ...long)
    stage.pages = [original, { ...original, at: 'delta.test/copy' }]
    const { data } = await stage.answered({ query: 'heat pump winter', max_sources: 5 })
    expect(data.sources.length).to.equal(1)
    expect(data.metadata.sources_searched).to.equal(2)
  })

  it('reads no more than max_sources, and no page twice', async () => {
    stage.pages = Array.from({ length: 12 }, (_, at) =>
      stagePage(
        `alpha.test/p${at}`,
        `Heat pumps ${at}`,
        `In winter number ${at} the heat pump of house ${at * 17} ran for ${at * 31} hours at ${at * 3} degrees.`,
      ),
    )
    const { data } = await stage.answered({ query: 'heat pump winter', max_sources: 3 })
    expect(data.sources.length).to.equal(3)
    expect(new Set(stage.fetched).size).to.equal(stage.fetched.length)
    expect(stage.fetched.length).to.be.at.most(8)
  })

  it('what is still open is searched for again, in other words', async () => {
    stage.finds = (query) => (/defrost/i.test(query) && stage.searched.length > 3 ? PUMPS : PUMPS.slice(0, 1))
    const { data } = await stage.answered({ query: 'How does a heat pump work? What does defrosting cost?' })
    expect(data.metadata.refinement_rounds).to.equal(1)
    expect(stage.searched.length).to.be.at.most(5)
    expect(new Set(stage.searched).size).to.equal(stage.searched.length)
  })

  it('a note says that no page could be read, and the report rests on the snippets', async () => {
    stage.web = 403
    const { data, metadata } = await stage.answered({ query: 'heat pump winter' })
    expect(metadata.notes).to.include('No page could be read: the answer rests on the snippets of the search results.')
    expect(data.report?.summary).to.match(/moves heat from the outside air into the house.*\[Source 1\]/)
    expect(data.metadata).to.include({ sources_scraped: 0 })
    expect(data.report?.confidence).to.be.below(0.5)
  })

  it('searches that find nothing are no result, and free', async () => {
    stage.finds = () => []
    const reply = await stage.research({ query: 'heat pump winter' })
    expect([reply.status, reply.json().error?.type.split('/').at(-1), reply.headers['x-credits-used']]).to.deep.equal([
      422,
      'no-result',
      '0',
    ])
  })

  it('searches that all fail are a failure of the providers, and free', async () => {
    stage.engine = 500
    const reply = await stage.research({ query: 'heat pump winter' })
    expect([reply.status, reply.json().error?.type.split('/').at(-1), reply.headers['x-credits-used']]).to.deep.equal([
      502,
      'providers-failed',
      '0',
    ])
    expect(reply.json().error?.detail).to.match(/^All searches failed/)
    expect(reply.json().error?.is_retriable).to.equal(true)
  })

  it('a whitelist that lets none of the results in is no result, and free', async () => {
    const reply = await stage.research({ query: 'heat pump winter', domain_whitelist: ['example.com'] })
    expect([reply.status, reply.headers['x-credits-used']]).to.deep.equal([422, '0'])
    expect(reply.json().error?.detail).to.match(/^None of the 3 results is at a domain/)
    expect(stage.fetched).to.deep.equal([])
  })

  it('progress is sent step by step to a caller who wants events, then one result', async () => {
    const reply = await stage.research({ query: 'heat pump winter' }, { accept: 'text/event-stream' })
    const events = reply.text.split('\n\n').filter((event) => event.startsWith('event: '))
    const steps = events.flatMap((event) => /"step":"([a-z_]+)"/.exec(event)?.[1] ?? [])
    expect([...new Set(steps)]).to.include.members(['query_expansion', 'web_search', 'content_extraction', 'entity_detection', 'synthesis'])
    expect(events.at(-1)).to.match(/^event: result\n/)
    expect(events.filter((event) => event.startsWith('event: result'))).to.have.length(1)
  })

  it('an object that the schema asks for is filled from the pages, and only with what stands there', async () => {
    stage.pages = [
      stagePage(
        'alpha.test/plant',
        'Plant of Example',
        'Operator: Acme Works',
        'Capacity: 120',
        'The plant stands in Lyon and began in 2009.',
      ),
    ]
    const schema = { type: 'object', properties: { operator: { type: ['string', 'null'] }, owner: { type: ['string', 'null'] } } }
    const { data } = await stage.answered({ query: 'plant of Example operator', output_schema: schema })
    expect(data.structured_output).to.deep.include({ operator: 'Acme Works' })
    expect(data.structured_output?.owner ?? null).to.equal(null)
  })
})

describe('research: prices', () => {
  it('add-ons are added, and what is left out is taken off', () => {
    const cost = (change: object): number => research.price.quote({ ...defaultsOf(research.input), ...change } as never)
    expect([cost({}), cost({ depth: 'deep' }), cost({ depth: 'comprehensive' })]).to.deep.equal([10, 20, 35])
    expect([
      cost({ include_analysis: true }),
      cost({ source_types: ['web', 'academic'] }),
      cost({ source_types: 'academic,web' }),
    ]).to.deep.equal([15, 12, 12])
    expect([
      cost({ enrich_entities: false }),
      cost({ synthesis: false }),
      cost({ enrich_entities: false, synthesis: false }),
    ]).to.deep.equal([7, 5, 2])
    expect(cost({ depth: 'comprehensive', include_analysis: true, source_types: ['academic'], enrich_entities: false })).to.equal(39)
  })
})
