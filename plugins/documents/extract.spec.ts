import { expect } from 'chai'
import { ExtractStage } from '../../test/support/extract-stage.js'
import type { ModelSays } from '../../test/support/model-server.js'
import { expectProblem } from '../../test/support/problem.js'

const TEXT = 'Invoice R-2026-17 of 31 January 2026.\nTotal to pay: 1,234.50 €\nCustomer: Ada Example, Lisbon.'
const SCHEMA = {
  type: 'object',
  properties: {
    number: { type: 'string' },
    customer: { type: ['string', 'null'] },
    total: { type: 'number' },
    date: { type: ['string', 'null'], format: 'date' },
    phone: { type: ['string', 'null'] },
  },
  required: ['number', 'total'],
}

describe('documents.extract with a model', function () {
  this.timeout(60_000)
  let stage: ExtractStage
  before(async () => {
    stage = await ExtractStage.start()
  })
  after(() => stage.close())
  beforeEach(() => stage.clear())

  it('fills a schema from a text of the caller; what is absent is null', async () => {
    stage.says = () => ({ json: { number: 'R-2026-17', customer: 'Ada Example', total: 1234.5, date: '2026-01-31', phone: null } })
    const { data, metadata } = await stage.extracted({ content: TEXT, schema: SCHEMA })
    expect(data).to.deep.equal({
      extracted: { number: 'R-2026-17', customer: 'Ada Example', total: 1234.5, date: '2026-01-31', phone: null },
      source_url: null,
      content_length: TEXT.length,
      truncated: false,
    })
    expect(metadata.provider_used).to.equal('openai-compatible')
    expect(metadata).not.to.have.property('notes')
    expect(stage.asked).to.have.length(1)
    expect(stage.asked[0]?.text).to.contain('Total to pay: 1,234.50 €')
  })

  it('a text that is not in the source is struck, and a note says where', async () => {
    stage.says = () => ({ json: { number: 'R-2026-17', customer: 'Bob Invented', total: 1, date: '1999-12-24', phone: '' } })
    const { data, metadata } = await stage.extracted({ content: TEXT, schema: SCHEMA })
    expect(data.extracted).to.deep.equal({ number: 'R-2026-17', customer: null, total: 1, date: null, phone: null })
    expect(metadata.notes).to.deep.equal(['Left out, since the text does not occur in the source: /customer, /date.'])
  })

  it('what does not fit is repaired once', async () => {
    stage.says = () => ({
      json: stage.asked.length === 1 ? { number: 'R-2026-17', total: '1,234.50 €' } : { number: 'R-2026-17', total: 1234.5 },
    })
    const { data } = await stage.extracted({ content: TEXT, schema: SCHEMA })
    expect(data.extracted).to.deep.include({ number: 'R-2026-17', total: 1234.5 })
    expect(stage.asked).to.have.length(2)
    expect(stage.asked[1]?.text).to.contain('/total must be number').and.contain('Customer: Ada Example')
  })

  it('a required text that is not in the source makes no answer, free of charge', async () => {
    stage.says = () => ({ json: { number: 'X-1', total: 1234.5 } })
    const { balance } = await stage.gateway.money()
    const reply = await stage.extract({ content: TEXT, schema: SCHEMA })
    expectProblem(reply, 'no-result')
    expect(stage.asked).to.have.length(2)
    expect(stage.asked[1]?.text).to.contain('the texts at /number do not occur in the source')
    expect((await stage.gateway.money()).balance).to.equal(balance)
  })

  it('a prompt alone gives an object of the model', async () => {
    stage.says = () => ({ json: { customer: 'Ada Example', 'invented key 7': 'Lisbon', city: 'Lisbon', mood: 'Happy Birthday' } })
    const { data } = await stage.extracted({ content: TEXT, extraction_prompt: 'Who is the customer?' })
    expect(data.extracted).to.deep.equal({ customer: 'Ada Example', city: 'Lisbon', mood: null })
    expect(stage.asked[0]?.text).to.contain('Who is the customer?')
  })

  const outages: readonly (readonly [string, ModelSays])[] = [
    ['fails', { status: 500 }],
    ['asks for a pause', { status: 429 }],
    ['refuses the key', { status: 401 }],
  ]
  for (const [what, says] of outages)
    it(`B3 a model that ${what} is a failure to be tried again, also while it is suspended, and no lack of the source or of settings`, async () => {
      const own = await ExtractStage.start()
      try {
        own.says = () => says
        const { balance } = await own.gateway.money()
        for (const _ of [1, 2, 3]) {
          const body = { content: 'The widget was made by hand in a small town.', schema: { ...SCHEMA, required: ['customer'] } }
          const reply = await own.extract(body, { 'idempotency-key': what.replaceAll(' ', '-') })
          expect(reply.status, reply.text).to.equal(502)
          expect(reply.json().error).to.include({ is_retriable: true })
          expect(reply.text).not.to.contain('OPENAI_API_KEY')
          expect(reply.json().metadata.attempts?.map(({ provider }) => provider)).to.include('openai-compatible')
        }
        expect((await own.gateway.money()).balance).to.equal(balance)
      } finally {
        await own.close()
      }
    })

  it('reads a page once for all vendors', async () => {
    const url = stage.put(
      '/page',
      `<html><head><title>Prices</title></head><body><main><h1>Prices</h1><p>${'The red kettle costs 12.50 euro. '.repeat(20)}</p></main></body></html>`,
    )
    stage.says = () => ({ json: { product: 'red kettle', price: 12.5 } })
    const { data } = await stage.extracted({ url, extraction_prompt: 'Product and price.' })
    expect(data.extracted).to.deep.equal({ product: 'red kettle', price: 12.5 })
    expect(data.source_url).to.equal(url)
  })
})
