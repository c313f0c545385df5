import { expect } from 'chai'
import { ExtractStage, type Extracted } from '../../test/support/extract-stage.js'
import type { ModelAsked } from '../../test/support/model-server.js'
import { expectProblem } from '../../test/support/problem.js'
import { until } from '../../test/support/time.js'

const LIST = {
  type: 'object',
  properties: {
    title: { type: ['string', 'null'] },
    items: { type: 'array', minItems: 1, items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } } },
  },
  required: ['items'],
}
const line = (at: number): string => `Item ${String(at)} costs ${String(at)} euro today.`

/** The items that an honest model finds in its part. */
function itemsIn({ text }: ModelAsked): { name: string; price: number }[] {
  return [...text.matchAll(/Item (\d+) costs (\d+) euro/g)].map(([, name = '', price]) => ({ name: `Item ${name}`, price: Number(price) }))
}

describe('documents.extract: long texts, bad inputs and models that fail', function () {
  this.timeout(60_000)
  let stage: ExtractStage
  before(async () => {
    const file = 'plugins:\n  documents:\n    chunk_tokens: 1000\n    chunks: 5\n'
    stage = await ExtractStage.start({ file })
  })
  after(() => stage.close())
  beforeEach(() => stage.clear())

  it('a long text is read in parts, and their lists are united without doubles', async () => {
    const content = Array.from({ length: 450 }, (_, at) => line(at)).join('\n')
    stage.says = (asked) => ({ json: { title: asked.text.includes('Item 0 ') ? 'Item 0' : 'Item 300', items: itemsIn(asked) } })
    const { data, metadata } = await stage.extracted({ content, schema: LIST })
    expect(data.extracted).to.deep.equal({
      title: 'Item 0',
      items: Array.from({ length: 450 }, (_, at) => ({ name: `Item ${String(at)}`, price: at })),
    })
    expect(data).to.deep.include({ truncated: false, content_length: content.length })
    expect(stage.asked.length).to.be.within(4, 5)
    expect(metadata.notes).to.deep.equal(['Parts of the text contradict each other, and the first was used: /title.'])
  })

  it('a text beyond all parts is truncated, and a part without an answer counts too', async () => {
    stage.says = (asked) => ({ json: { items: itemsIn(asked) } })
    const long = await stage.extracted({ content: Array.from({ length: 40_000 }, (_, at) => line(at)).join('\n'), schema: LIST })
    expect(long.data.truncated).to.equal(true)
    expect(long.data.content_length).to.be.above(1 << 20)
    expect(long.metadata.notes?.join()).to.contain('longer than 5 parts')
    expect(stage.asked).to.have.length(5)
    stage.says = (asked) => (asked.text.includes('Item 0 ') ? { text: 'I would rather not.' } : { json: { items: itemsIn(asked) } })
    const { data, metadata } = await stage.extracted({ content: Array.from({ length: 300 }, (_, at) => line(at)).join('\n'), schema: LIST })
    expect(data.truncated).to.equal(true)
    expect(metadata.notes?.join()).to.match(/no usable answer about 1 of \d parts/)
  })

  it('with a prompt alone the names of the first part are those of the others', async () => {
    stage.says = (asked) => ({ json: { items: itemsIn(asked) } })
    const { data } = await stage.extracted({
      content: Array.from({ length: 250 }, (_, at) => line(at)).join('\n'),
      extraction_prompt: 'All items.',
    })
    expect(data.extracted.items).to.have.length(250)
    expect(stage.asked[0]?.text).not.to.contain('Use these names')
    expect(stage.asked.slice(1).every(({ text }) => text.includes('Use these names where they fit: items.'))).to.equal(true)
  })

  it('events tell what is done', async () => {
    stage.says = (asked) => ({ json: { items: itemsIn(asked) } })
    const url = stage.put('/list.txt', Array.from({ length: 300 }, (_, at) => line(at)).join('\n'), { type: 'text/plain' })
    const { text } = await stage.extract({ url, schema: LIST }, { accept: 'text/event-stream' })
    expect(text)
      .to.contain('"step":"reading"')
      .and.match(/"step":"extracting","detail":"part 2 of 3","done":\d,"total":3/)
    expect(text).to.contain('event: result')
  })

  for (const [name, says] of [
    ['garbage', { text: '}{ no JSON [' }],
    ['nothing', { text: '' }],
    ['a list in place of an object', { json: ['a'] }],
    ['a hundred thousand brackets', { text: `{"items":${'['.repeat(100_000)}` }],
  ] as const)
    it(`a model that answers ${name} makes no answer, free of charge`, async () => {
      stage.says = () => says
      const reply = await stage.extract({ content: 'A kettle.', schema: LIST })
      expect(reply.status, reply.text).to.be.within(400, 599)
      expect(reply.headers['x-credits-used']).to.equal('0')
      expect((await stage.gateway.get('/v1/openapi.json')).status).to.equal(200)
    })

  it('a schema that nothing can fulfil suspends no vendor', async () => {
    stage.says = () => ({ json: { a: 1 } })
    const schema = { type: 'object', properties: { a: { type: 'number', minimum: 2, maximum: 4, multipleOf: 5 } }, required: ['a'] }
    for (let at = 0; at < 6; at++) expectProblem(await stage.extract({ content: 'a 1', schema }), 'no-result')
    const { notes } = (await stage.extract({ content: 'a 1', schema })).json<Extracted>().metadata
    expect(notes?.join()).to.contain('The answer of the language model was not used: /a must be >= 2')
    stage.says = () => ({ json: { items: [{ name: 'kettle', price: 1 }] } })
    expect((await stage.extracted({ content: 'A kettle for 1 euro', schema: LIST })).data.extracted).to.deep.include({
      items: [{ name: 'kettle', price: 1 }],
    })
  })

  it('two calls at once keep to their own texts', async () => {
    stage.says = ({ text }) => ({ json: { items: [{ name: text.includes('red') ? 'red pot' : 'blue pot', price: 1 }] } })
    const [red, blue] = await Promise.all([
      stage.extracted({ content: 'A red pot.', schema: LIST }),
      stage.extracted({ content: 'A blue pot.', schema: LIST }),
    ])
    expect(red.data.extracted).to.deep.include({ items: [{ name: 'red pot', price: 1 }] })
    expect(blue.data.extracted).to.deep.include({ items: [{ name: 'blue pot', price: 1 }] })
  })

  it('a caller who leaves ends the question to a model that hangs', async () => {
    stage.says = () => 'hang'
    const leaving = new AbortController()
    const call = fetch(`${stage.gateway.url}/v1/documents/extract`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'A kettle.', schema: LIST }),
      signal: leaving.signal,
    }).catch(() => null)
    await until(() => stage.hanging === 1, 20_000)
    leaving.abort()
    await call
    await until(() => stage.hanging === 0, 20_000)
  })

  const bad: readonly (readonly [name: string, body: Record<string, unknown>, loc: readonly (string | number)[]])[] = [
    ['neither url nor content', { schema: LIST }, ['url']],
    ['both url and content', { url: 'https://example.com/', content: 'x', schema: LIST }, ['content']],
    ['neither prompt nor schema', { content: 'x' }, ['extraction_prompt']],
    ['a schema that names nothing, without a prompt', { content: 'x', schema: {} }, ['extraction_prompt']],
    ['blank content', { content: ' \n', schema: LIST }, ['content']],
    ['an address of another kind', { url: 'file:///etc/passwd', schema: LIST }, ['url']],
    ['an address with a password', { url: 'https://a:b@example.com/', schema: LIST }, ['url']],
    ['a schema of a list', { content: 'x', schema: { type: 'array', items: {} } }, ['schema', 'type']],
    ['a schema that is too long', { content: 'x', schema: { properties: { a: { description: 'x'.repeat(33_000) } } } }, ['schema']],
    [
      'a reference to elsewhere',
      { content: 'x', schema: { properties: { a: { $ref: 'https://canary.example/s.json' } } } },
      ['schema', 'properties', 'a', '$ref'],
    ],
    [
      'a pattern that would look around',
      { content: 'x', schema: { properties: { a: { pattern: '(?=x)' } } } },
      ['schema', 'properties', 'a', 'pattern'],
    ],
    ['a schema that leads back to itself', { content: 'x', schema: { $ref: '#', properties: { a: {} } } }, ['schema', '$ref']],
  ]
  for (const [name, body, loc] of bad)
    it(`T-50 ${name} is 422 at its field before anybody is asked`, async () => {
      const reply = await stage.extract(body)
      expectProblem(reply, 'validation-failed')
      expect(reply.json().detail?.[0]?.loc, reply.text).to.deep.equal(['body', ...loc])
      expect(reply.headers['x-credits-used'] ?? '0').to.equal('0')
      expect([stage.asked, stage.fetched]).to.deep.equal([[], []])
    })

  it('T-50 a name of the language itself in the text of a schema is refused, and one that recurs through properties is served', async () => {
    const raw = `{"content":"x","schema":{"properties":{"__proto__":{"type":"string"}}}}`
    expectProblem(await stage.gateway.send('/v1/documents/extract', { method: 'POST', body: raw }), 'malformed-request')
    stage.says = () => ({ json: { name: 'Ada', child: { name: 'Bob', child: null } } })
    const person = { type: ['object', 'null'], properties: { name: { type: ['string', 'null'] }, child: { $ref: '#/$defs/person' } } }
    const schema = { $ref: '#/$defs/person', $defs: { person } }
    expect((await stage.extracted({ content: 'Ada is the mother of Bob.', schema })).data.extracted).to.deep.equal({
      name: 'Ada',
      child: { name: 'Bob', child: null },
    })
  })

  it('T-50 a pattern that takes other engines seconds is held against a text at once', async () => {
    stage.says = () => ({ json: { code: 'a'.repeat(5_000) } })
    const schema = { type: 'object', properties: { code: { type: 'string', pattern: '^(a+)+$' } } }
    expect((await stage.extracted({ content: 'a'.repeat(6_000), schema })).data.extracted).to.deep.equal({ code: 'a'.repeat(5_000) })
  })
})

describe('documents.extract: models that have just failed', function () {
  this.timeout(60_000)
  let stage: ExtractStage
  before(async () => {
    stage = await ExtractStage.start()
  })
  after(() => stage.close())

  it('leave the answer to structured data; when that has none, the call may be tried again', async () => {
    stage.says = () => ({ status: 401 })
    const reply = await stage.extract({ content: 'It costs a lot.', schema: LIST })
    expect(reply.status, reply.text).to.equal(502)
    expect(reply.json().error).to.include({ is_retriable: true })
    const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
    const filled = await stage.extract({ content: 'Total: 12.50', schema })
    expect(filled.json<Extracted>().data.extracted, filled.text).to.deep.equal({ total: 12.5 })
  })
})
