import { expect } from 'chai'
import { Result, type Progress, type StreamEvent } from '../../../clients/typescript/src/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'
import { Answering, clientOf, envelope, events, METADATA, result, thrown } from './support.js'

describe('the TypeScript client: calls', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let gateway: TestGateway
  let server: Answering
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('two')] } })
    server = await Answering.start()
  })
  after(async () => {
    await server.close()
    await gateway.close()
  })
  const idle = () => until(() => gateway.app.running() === 0)

  it('a result has data, metadata, credits, balance, request id, headers and the envelope', async () => {
    const { balance } = await gateway.money()
    const found = await clientOf(gateway).run('test.echo', { text: 'hello', mode: 'loud' })
    expect(found).to.be.instanceOf(Result)
    expect(found.data).to.deep.equal({ text: 'hello' })
    expect(found.credits_used).to.equal(2)
    expect(found.balance).to.equal(balance - 2)
    expect(found.metadata).to.include({ provider_used: 'one', mode_used: 'loud' })
    expect(found.request_id).to.equal(found.headers.get('x-request-id'))
    expect(found.raw).to.deep.include({ success: true, error: null, data: found.data, credits_used: 2 })
    expect(JSON.parse(JSON.stringify(found))).to.deep.equal(found.raw)
    expect((await gateway.money()).balance).to.equal(balance - 2)
  })

  it('a capability unknown to the library is reached by /v1/agent', async () => {
    server.says(result({ text: 'new' }))
    const params = { text: 'hi', deep: [1, { two: null }] }
    expect((await server.client().run('brand.new', params)).data).to.deep.equal({ text: 'new' })
    expect(server.requests[0]).to.include({ method: 'POST', path: '/v1/agent', body: JSON.stringify({ capability: 'brand.new', params }) })
    server.says(result({}))
    await server.client().run('constructor')
    expect(server.requests[0]).to.include({ path: '/v1/agent', body: '{"capability":"constructor","params":{}}' })
  })

  it('a capability of the library is called by its own path, with the parameters as the body', async () => {
    server.says(result({}))
    await server.client().run('images.remove_background', { image_url: 'https://example.com/a.png' })
    expect(server.requests[0]).to.include({ path: '/v1/images/remove-background', body: '{"image_url":"https://example.com/a.png"}' })
    expect(server.requests[0]?.headers).to.include({ accept: 'application/json', 'content-type': 'application/json' })
  })

  it('fields that a newer gateway adds are kept, and one that an older gateway lacks is no failure', async () => {
    const older = Object.fromEntries(Object.entries(METADATA).filter(([name]) => name !== 'credits_balance'))
    server.says((response) => {
      response.setHeader('content-type', 'application/json')
      response.end(envelope({ title: 'A page', colour: 'red' }, { metadata: { ...older, shape: 'round' }, later: { more: 1 } }))
    })
    const found = await server.client().scrape({ url: 'https://example.com' })
    expect(found.data).to.deep.equal({ title: 'A page', colour: 'red' })
    expect(found.metadata).to.include({ shape: 'round' })
    expect(found.raw).to.deep.include({ later: { more: 1 } })
    expect(found.balance).to.equal(null)
  })

  it('steps are reported while the call runs', async () => {
    const steps: Progress[] = []
    const work = clientOf(gateway).run('test.echo', { text: 'step and wait' }, { onProgress: (progress) => steps.push(progress) })
    await until(() => steps.length === 1)
    await stage.until(() => stage.waiting === 1)
    stage.release()
    expect((await work).data).to.deep.equal({ text: 'step and wait' })
    expect(steps).to.deep.equal([
      { step: 'working', detail: 'half done', done: 1, total: 2 },
      { step: 'finishing', detail: null, done: null, total: null },
    ])
  })

  it('a stream yields steps and ends with the result', async () => {
    const { balance } = await gateway.money()
    const seen: StreamEvent<unknown>[] = []
    for await (const event of clientOf(gateway).stream('test.echo', { text: 'step by step' })) seen.push(event)
    expect(seen.slice(0, 2)).to.deep.equal([
      { event: 'progress', step: 'working', detail: 'half done', done: 1, total: 2 },
      { event: 'progress', step: 'finishing', detail: null, done: null, total: null },
    ])
    const last = seen[2]
    expect(seen).to.have.length(3)
    if (last?.event !== 'result') return expect.fail(last?.event)
    expect(last.result.data).to.deep.equal({ text: 'step by step' })
    expect([last.result.credits_used, last.result.balance]).to.deep.equal([1, balance - 1])
  })

  it('an error of the callback is the caller’s, ends the call and is not repeated', async () => {
    const before = await gateway.money()
    const bad = new TypeError('of the callback')
    const work = clientOf(gateway).run(
      'test.echo',
      { text: 'step, wait for the callback' },
      {
        onProgress: () => {
          throw bad
        },
      },
    )
    expect(await thrown(work)).to.equal(bad)
    await stage.until(() => stage.aborted.includes('step, wait for the callback'))
    await idle()
    expect(stage.texts.filter((text) => text.endsWith('the callback'))).to.have.length(1)
    expect(await gateway.money()).to.deep.equal(before)
  })

  for (const [how, streams] of [
    ['a call', false],
    ['a call with progress', true],
  ] as const)
    it(`an abort ends ${how} at the gateway, releases its hold and costs nothing`, async () => {
      const before = await gateway.money()
      const text = `wait until ${how} ends`
      const controller = new AbortController()
      const options = { signal: controller.signal, ...(streams ? { onProgress: () => undefined } : {}) }
      const work = thrown(clientOf(gateway).run('test.echo', { text }, options))
      await stage.until(() => stage.waiting === 1)
      controller.abort(new RangeError('enough'))
      expect(await work).to.be.instanceOf(RangeError)
      await stage.until(() => stage.aborted.includes(text))
      await idle()
      expect(await gateway.money()).to.deep.equal(before)
    })

  it('a signal that was aborted before sends nothing', async () => {
    server.says(result({}))
    const error = await thrown(server.client().scrape({ url: 'https://example.com' }, { signal: AbortSignal.abort() }))
    expect(error).to.have.property('name', 'AbortError')
    expect(server.requests).to.have.length(0)
  })

  it('leaving a stream ends the call at the gateway', async () => {
    const before = await gateway.money()
    for await (const event of clientOf(gateway).stream('test.echo', { text: 'step and wait to be left' })) {
      expect(event.event).to.equal('progress')
      break
    }
    await stage.until(() => stage.aborted.includes('step and wait to be left'))
    await idle()
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('a time-out ends the call at the gateway, and its repetition under the same key is charged once', async () => {
    const before = await gateway.money()
    const tries = () => stage.texts.filter((text) => text.endsWith('wait for the second try')).length
    const work = clientOf(gateway).run('test.echo', { text: 'wait for the second try' }, { timeout: 0.5, maxRetries: 4 })
    await stage.until(() => tries() === 2)
    stage.release()
    expect((await work).data).to.deep.equal({ text: 'wait for the second try' })
    await idle()
    expect(await gateway.money()).to.deep.equal({ ...before, balance: before.balance - 1, available: before.available - 1 })
  })

  it('a call under a key of the user runs on when its caller has left, and is replayed', async () => {
    const before = await gateway.money()
    const controller = new AbortController()
    const client = clientOf(gateway)
    const options = { idempotencyKey: 'kept for later' }
    const work = thrown(client.run('test.echo', { text: 'wait on' }, { ...options, signal: controller.signal }))
    await stage.until(() => stage.waiting === 1)
    controller.abort()
    await work
    stage.release()
    await idle()
    expect(stage.aborted).not.to.include('wait on')
    const again = await client.run('test.echo', { text: 'wait on' }, options)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect((await gateway.money()).balance).to.equal(before.balance - 1)
  })

  it('listeners of a signal that lives on are removed', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      if (args[1] instanceof Function && !args[1].name.startsWith('bound')) listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    server.says(result({}))
    const own = (...[input, init]: Parameters<typeof fetch>) => fetch(input, init)
    await server.client({ fetch: own }).scrape({ url: 'https://example.com' }, { signal })
    expect(listeners).to.equal(0)
  })

  describe('events', () => {
    const step = (name: string) => `event: progress\ndata: {"step":"${name}","detail":null,"done":null,"total":null}\n\n`
    const whole = `: heartbeat\n\n${step('Größe')}event: other\ndata: x\n\n${step('two')}event: result\ndata: ${envelope({ answer: 'ü' })}\n\n`
    const read = async (pieces: readonly (string | Buffer)[], fetchOwn?: typeof fetch) => {
      server.says(events(pieces))
      const steps: string[] = []
      const client = server.client(fetchOwn === undefined ? {} : { fetch: fetchOwn })
      const { data } = await client.search({ query: 'x' }, { onProgress: (progress) => steps.push(progress.step) })
      return [...steps, data.answer]
    }

    it('all at once, as behind a proxy that buffers', async () => {
      expect(await read([whole])).to.deep.equal(['Größe', 'two', 'ü'])
    })

    it('with each line end of the standard, wherever the bytes are cut', async () => {
      for (const end of ['\n', '\r\n', '\r']) {
        const bytes = Buffer.from(whole.replaceAll('\n', end))
        for (const size of [1, 2, 3, 7, 64]) {
          const cut: Uint8Array[] = []
          for (let at = 0; at < bytes.length; at += size) cut.push(bytes.subarray(at, at + size))
          const body = new ReadableStream<Uint8Array>({
            pull: (controller) => {
              const piece = cut.shift()
              if (piece === undefined) controller.close()
              else controller.enqueue(piece)
            },
          })
          const own = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
          expect(await read([], own), `${JSON.stringify(end)} by ${size}`).to.deep.equal(['Größe', 'two', 'ü'])
        }
      }
    })

    it('plain JSON in the place of a stream, as behind a proxy without support for streams', async () => {
      server.says(result({ answer: 'plain' }))
      expect((await server.client().search({ query: 'x' }, { onProgress: () => undefined })).data.answer).to.equal('plain')
    })

    it('a result that is no JSON is an error that quotes it', async () => {
      server.says(events(['event: result\ndata: <html>\n\n']))
      expect(String(await thrown(server.client().search({ query: 'x' }, { onProgress: () => undefined })))).to.include('"<html>"')
    })

    it('calls that may take five minutes and more are requested as a stream, since the fetch of Node waits no longer for a head', async () => {
      const acceptOf = async (id: 'research' | 'code.execute', params: Record<string, unknown>) => {
        server.says(result({}))
        await server.client().run(id as string, params)
        return server.requests[0]?.headers['accept']
      }
      expect(await acceptOf('research', { query: 'x' })).to.equal('text/event-stream, application/json')
      expect(await acceptOf('code.execute', { code: '1' })).to.equal('application/json')
      expect(await acceptOf('code.execute', { code: '1', timeout: 300 })).to.equal('text/event-stream, application/json')
    })
  })
})
