import { expect } from 'chai'
import { request } from 'node:http'
import { ResearchStage, stagePage } from '../../test/support/research-stage.js'
import { RunningClock } from '../../test/support/running-clock.js'
import { atMost, until } from '../../test/support/time.js'

const PAGES = Array.from({ length: 60 }, (_, at) =>
  stagePage(
    `${['alpha', 'beta', 'gamma', 'delta', 'epsilon'][at % 5]}.test/p${at}`,
    `Heat pump report ${at}`,
    `In winter ${1960 + at} the heat pump of house ${at * 17} ran for ${at * 31} hours and saved ${at * 3} euros.`,
    `House ${at * 17} stands in valley ${at}, where ${at} people live and pump ${at * 5} was built.`,
  ),
)
const QUESTION = { query: 'How long does a heat pump run in winter?', enrich_entities: false }
/** Speed of the gateway's clock relative to real time while servers hang. */
const RATE = 60

describe('research: limits', function () {
  this.timeout(120_000)
  const clock = new RunningClock()
  let stage: ResearchStage
  before(async () => {
    stage = await ResearchStage.start({ model: true, overrides: { clock } })
    await stage.gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
    // The first call loads shared resources.
    stage.pages = PAGES
    await stage.answered(QUESTION)
  })
  beforeEach(() => {
    clock.rate = 1
    stage.clear()
    stage.pages = PAGES
  })
  after(async () => {
    await stage?.close()
    clock.stop()
  })

  for (const [depth, searches, scrapes, seconds] of [
    ['standard', 5, 8, 3],
    ['deep', 15, 20, 8],
    ['comprehensive', 30, 40, 20],
  ] as const)
    it(`${depth}: at most ${searches} searches and ${scrapes} pages, within ${seconds} s when everybody answers at once`, async function () {
      const began = performance.now()
      const { data } = await stage.answered({ ...QUESTION, depth, max_sources: 100 })
      const took = (performance.now() - began) / 1_000
      expect(stage.searched.length).to.be.within(1, searches)
      expect(stage.fetched.length).to.be.within(1, scrapes)
      expect(data.metadata.sources_scraped).to.be.at.most(scrapes)
      expect(data.report?.summary).to.match(/\[Source \d+\]/)
      await atMost(this, { what: `seconds of a ${depth} research`, value: took, limit: seconds })
    })

  for (const what of ['engine', 'web', 'model'] as const)
    it(`never over its time budget by more than 5 % when the ${what} hangs, and ends in a report or costs nothing`, async function () {
      clock.rate = RATE
      if (what === 'model') stage.model.says = () => 'hang'
      else stage[what] = 'hangs'
      const began = clock.monotonic()
      const reply = await stage.research(QUESTION)
      // Delays of the machine are multiplied by the speed of the clock.
      await atMost(this, { what: 'milliseconds of a research of 60 s', value: clock.monotonic() - began, limit: 63_000 + RATE * 50 })
      if (what === 'engine') return expect([reply.status, reply.headers['x-credits-used']]).to.deep.equal([502, '0'])
      const { data } = reply.json<{ data: { report: { summary: string }; metadata: { total_time_ms: number } } }>()
      expect(data.report.summary).to.match(/\[Source \d+\]/)
      expect(data.metadata.total_time_ms).to.be.at.most(60_000)
    })

  it('budget used up by pages that hang ends in a report that says so, not in an error', async () => {
    clock.rate = RATE
    stage.web = 'hangs'
    const reply = await stage.research(QUESTION)
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json<{ data: { metadata: { budget_exhausted: boolean } } }>().data.metadata.budget_exhausted).to.equal(true)
  })

  it('a model whose answer never ends is given up, and the sources are quoted', async () => {
    stage.model.says = () => 'endless'
    const { data } = await stage.answered(QUESTION)
    expect(data.report?.summary).to.match(/\[Source \d+\]/)
  })

  it('a caller who leaves ends everything at once, and pays nothing', async function () {
    stage.web = 'hangs'
    const before = await stage.gateway.money()
    const body = JSON.stringify(QUESTION)
    const outgoing = request(`${stage.gateway.url}/v1/research`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stage.key}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.end(body)
    await until(() => stage.hanging >= 5)
    const fetched = stage.fetched.length
    const left = performance.now()
    outgoing.destroy()
    await until(() => stage.hanging === 0)
    await atMost(this, { what: 'milliseconds until the last connection was closed', value: performance.now() - left, limit: 100 })
    await until(async () => (await stage.gateway.money()).held === 0)
    expect((await stage.gateway.money()).balance).to.equal(before.balance)
    expect(stage.fetched.length).to.equal(fetched)
  })
})

describe('research: what it refuses', function () {
  this.timeout(60_000)
  let stage: ResearchStage
  before(async () => {
    stage = await ResearchStage.start()
    stage.pages = PAGES
  })
  after(async () => {
    await stage?.close()
  })

  const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } })
  const refused: readonly [string, Record<string, unknown>, string][] = [
    ['an empty question', { query: '' }, 'query'],
    ['a question of blanks', { query: ' \n ' }, 'query'],
    ['a question of 2,001 characters', { query: 'x'.repeat(2_001) }, 'query'],
    ['an unknown depth', { query: 'x', depth: 'bottomless' }, 'depth'],
    ['an unknown type of source', { query: 'x', source_types: 'web,blogs' }, 'source_types'],
    ['no type of source', { query: 'x', source_types: [] }, 'source_types'],
    ['an address as a domain', { query: 'x', domain_whitelist: ['https://example.com/a'] }, 'domain_whitelist'],
    [
      'a whitelist all of which is denied',
      { query: 'x', domain_whitelist: ['www.example.com'], domain_blacklist: ['example.com'] },
      'domain_whitelist',
    ],
    ['a schema that is too deep', { query: 'x', output_schema: deep(20) }, 'output_schema'],
    ['a schema that leads back to itself', { query: 'x', output_schema: { $ref: '#' } }, 'output_schema'],
    [
      'a schema that nothing fits',
      { query: 'x', output_schema: { type: 'object', properties: { a: { type: 'number', minimum: 2, maximum: 1 } } } },
      'output_schema',
    ],
    [
      'a schema with a pattern that cannot be used',
      { query: 'x', output_schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
      'output_schema',
    ],
    ['a schema of a list', { query: 'x', output_schema: { type: 'array' } }, 'output_schema'],
    ['101 sources', { query: 'x', max_sources: 101 }, 'max_sources'],
  ]
  for (const [what, body, field] of refused)
    it(`${what}, before anything is searched`, async () => {
      stage.searched.length = 0
      const reply = await stage.research(body)
      expect([reply.status, reply.headers['x-credits-used']], reply.text).to.deep.equal([422, '0'])
      expect(reply.text).to.include(field)
      expect(stage.searched).to.deep.equal([])
    })

  it('one word, 2,000 characters and hostile texts are questions like others', async () => {
    const queries = [
      'heat',
      `heat pump ${'winter '.repeat(284)}`.slice(0, 2_000),
      '"; DROP TABLE sources; -- heat',
      '<script>heat</script>',
      '\u202eheat\u200b pump\u0000',
      'heat !!g :de site:x OR OR (',
    ]
    for (const query of queries) {
      const reply = await stage.research({ query, enrich_entities: false })
      expect([200, 422], `${JSON.stringify(query.slice(0, 20))} ${reply.text.slice(0, 300)}`).to.include(reply.status)
      if (reply.status === 200) expect(reply.text).not.to.match(/\u202e|\u200b|\\u0000/)
    }
  })
})
