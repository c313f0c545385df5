import { expect } from 'chai'
import sinon from 'sinon'
import {
  APIConnectionError,
  APITimeoutError,
  CapstanError,
  ConflictError,
  ProviderError,
  RateLimitError,
  TargetBlockedError,
} from '../../../clients/typescript/src/index.js'
import { Answering, envelope, events, hangUp, page, problem, result, thrown, type Say } from './support.js'

const RESULT = `event: result\ndata: ${envelope({ answer: 'yes' })}\n\n`
const BUSY = problem(429, 'rate-limited', { is_retriable: true }, { 'retry-after': '0' })
const NEVER: Say = () => undefined

describe('the TypeScript client: what is tried again', () => {
  let server: Answering
  before(async () => {
    server = await Answering.start()
  })
  after(async () => await server.close())
  const keys = () => server.requests.map(({ headers }) => headers['idempotency-key'])

  it('answers that may succeed later are repeated twice, under one Idempotency-Key that the library made', async () => {
    server.says(BUSY, problem(503, 'overloaded', { is_retriable: true }, { 'retry-after': '0' }), result({ answer: 'yes' }))
    expect((await server.client().search({ query: 'kettles' })).data.answer).to.equal('yes')
    const [key] = keys()
    expect(key).to.match(/^[\w-]{20,64}$/)
    expect(keys()).to.deep.equal([key, key, key])
    expect(server.requests.map(({ headers }) => headers['prefer'])).to.deep.equal(Array(3).fill('cancel-on-disconnect'))
    expect(new Set(server.requests.map(({ body }) => body))).to.have.property('size', 1)
  })

  it('each call has a key of its own', async () => {
    server.says(result({}))
    const client = server.client()
    await Promise.all([client.scrape({ url: 'https://example.com' }), client.scrape({ url: 'https://example.com' })])
    expect(new Set(keys())).to.have.property('size', 2)
  })

  it('a key that the user gave is sent without Prefer, so that the call runs on when its caller leaves', async () => {
    server.says(BUSY, result({}))
    await server.client().run('sites.intel', { domain: 'example.com' }, { idempotencyKey: 'mine' })
    expect(keys()).to.deep.equal(['mine', 'mine'])
    expect(server.requests.map(({ headers }) => headers['prefer'])).to.deep.equal([undefined, undefined])
  })

  it('gives up after the retries of the client, or of the call, with the last error', async () => {
    server.says(BUSY)
    expect(await thrown(server.client().search({ query: 'x' }))).to.be.instanceOf(RateLimitError)
    expect(server.requests).to.have.length(3)
    server.says(BUSY)
    expect(await thrown(server.client({ maxRetries: 0 }).search({ query: 'x' }))).to.be.instanceOf(RateLimitError)
    expect(server.requests).to.have.length(1)
    server.says(BUSY)
    expect(await thrown(server.client({ maxRetries: 0 }).search({ query: 'x' }, { maxRetries: 4 }))).to.be.instanceOf(RateLimitError)
    expect(server.requests).to.have.length(5)
  })

  it('what the gateway calls final is not repeated', async () => {
    server.says(problem(422, 'target-blocked', {}, { 'retry-after': '0' }))
    expect(await thrown(server.client().scrape({ url: 'https://example.com' }))).to.be.instanceOf(TargetBlockedError)
    expect(server.requests).to.have.length(1)
  })

  it('a call that still runs under the key after a broken connection is waited for', async () => {
    server.says(hangUp, problem(409, 'idempotency-conflict', { is_retriable: true, retry_after_seconds: 0 }), result({ answer: 'yes' }))
    expect((await server.client().search({ query: 'x' })).data.answer).to.equal('yes')
    server.says(problem(409, 'idempotency-conflict'))
    expect(await thrown(server.client().search({ query: 'x' }))).to.be.instanceOf(ConflictError)
    expect(server.requests).to.have.length(1)
  })

  it('a wait of more than 60 seconds is left to the caller at once, with its length', async () => {
    server.says(problem(429, 'rate-limited', { is_retriable: true }, { 'retry-after': '61' }))
    const error = await thrown(server.client().search({ query: 'x' }))
    expect(error).to.be.instanceOf(RateLimitError).and.include({ retry_after_seconds: 61 })
    expect(server.requests).to.have.length(1)
  })

  it('Retry-After may be a date', async () => {
    server.says(problem(503, 'overloaded', { is_retriable: true }, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }))
    expect(await thrown(server.client().search({ query: 'x' })))
      .to.have.property('retry_after_seconds')
      .within(3_500, 3_600)
    expect(server.requests).to.have.length(1)
    server.says(problem(503, 'overloaded', { is_retriable: true }, { 'retry-after': new Date(0).toUTCString() }), result({}))
    await server.client().search({ query: 'x' })
    expect(server.requests).to.have.length(2)
  })

  it('a broken connection is repeated', async () => {
    server.says(hangUp, hangUp, result({ answer: 'yes' }))
    expect((await server.client().search({ query: 'x' })).data.answer).to.equal('yes')
    expect(new Set(keys())).to.have.property('size', 1)
  })

  it('an answer that breaks off in its middle is repeated', async () => {
    const cut: Say = (response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"success":', () => response.destroy())
    }
    server.says(cut, result({ answer: 'yes' }))
    expect((await server.client().search({ query: 'x' })).data.answer).to.equal('yes')
  })

  it('a time-out of the library is repeated like a broken connection, and says how to wait longer', async () => {
    server.says(NEVER, result({ answer: 'yes' }))
    expect((await server.client().search({ query: 'x' }, { timeout: 0.3 })).data.answer).to.equal('yes')
    server.says(NEVER)
    const error = await thrown(server.client({ timeout: 0.05, maxRetries: 0 }).search({ query: 'x' }))
    expect(error).to.be.instanceOf(APITimeoutError).and.instanceOf(APIConnectionError).and.instanceOf(CapstanError)
    expect(String(error)).to.match(
      /^APITimeoutError: http:\/\/127\.0\.0\.1:\d+ did not answer within 0.05 s; a longer time is set by timeout$/,
    )
  })

  it('a page of a proxy is repeated with status 502, 503 and 504 alone', async () => {
    for (const status of [502, 503, 504]) {
      server.says(page(status), result({ answer: 'yes' }))
      expect((await server.client().search({ query: 'x' })).data.answer).to.equal('yes')
    }
    for (const status of [404, 429, 500]) {
      server.says(page(status))
      const error = await thrown(server.client().search({ query: 'x' }))
      expect(error).to.include({ status, slug: null, is_retriable: false })
      expect(server.requests).to.have.length(1)
    }
  })

  it('the last page of a proxy is an error that quotes it', async () => {
    server.says(page(502))
    const error = await thrown(server.client({ maxRetries: 0 }).search({ query: 'x' }))
    expect(error).to.be.instanceOf(ProviderError).and.have.property('message')
    expect(String(error)).to.include('HTTP 502').and.include('"<html><h1>Bad gateway</h1></html>"').and.include('baseUrl')
  })

  it('a stream that breaks before its result is repeated under the same key, also one that ends without it', async () => {
    const step = 'event: progress\ndata: {"step":"reading","detail":null,"done":1,"total":2}\n\n'
    server.says(events([step], 'breaks'), events([step]), events([step, RESULT]))
    const steps: string[] = []
    const { data } = await server.client().search({ query: 'x' }, { onProgress: ({ step: name }) => steps.push(name) })
    expect(data.answer).to.equal('yes')
    expect(steps).to.deep.equal(['reading', 'reading', 'reading'])
    expect(new Set(keys())).to.have.property('size', 1)
  })

  it('the creation of a key that may exist is not repeated', async () => {
    const { keys: own } = server.client()
    for (const work of [() => own.create({ name: 'second' }), () => own.rotate('key_1')]) {
      server.says(hangUp)
      expect(await thrown(work())).to.be.instanceOf(APIConnectionError)
      expect(server.requests).to.have.length(1)
    }
    server.says(hangUp, (response) => response.end('{"success":true,"message":"gone"}'))
    expect(await own.revoke('key_1')).to.deep.equal({ success: true, message: 'gone' })
  })

  for (const [drawn, waits] of [
    [0, [500, 1_000, 2_000]],
    [1 - Number.EPSILON, [375, 750, 1_500]],
  ] as const)
    it(`the waits double from half a second, with up to a quarter less: ${waits.join(', ')} ms`, async () => {
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const random = sinon.stub(Math, 'random').returns(drawn)
      try {
        let tries = 0
        const refused = () => {
          tries++
          return Promise.reject(new TypeError('fetch failed'))
        }
        const work = thrown(server.client({ fetch: refused, maxRetries: 3 }).search({ query: 'x' }))
        await clock.tickAsync(0)
        for (const [earlier, wait] of waits.entries()) {
          await clock.tickAsync(wait - 1)
          expect(tries).to.equal(earlier + 1)
          await clock.tickAsync(1)
          expect(tries).to.equal(earlier + 2)
        }
        expect(await work).to.be.instanceOf(APIConnectionError)
      } finally {
        random.restore()
        clock.restore()
      }
    })

  it('an abort ends the wait for another attempt', async () => {
    server.says(problem(429, 'rate-limited', { is_retriable: true }, { 'retry-after': '60' }))
    const controller = new AbortController()
    const work = thrown(server.client().search({ query: 'x' }, { signal: controller.signal }))
    const { until } = await import('../../support/time.js')
    await until(() => server.requests.length === 1)
    controller.abort(new Error('enough'))
    expect(await work).to.have.property('message', 'enough')
  })
})
