import { expect } from 'chai'
import { connect } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../core/config/load.js'
import { openListeners } from '../../core/http/listeners.js'
import { packageRoot } from '../../core/runtime/root.js'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import { httpServer, rawServer } from '../../core/sdk/testkit/servers.js'
import { startGateway, type GatewayOptions, type TestGateway } from '../support/gateway.js'
import { HandClock } from '../support/outbound.js'
import { expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'
import type { Script } from '../support/test-plugin.js'
import { form, part, upload, uploadedFile } from '../support/upload.js'
import { settle } from '../support/unit.js'
import { until } from '../support/time.js'

const ECHO = '/v1/test/echo'
const PATIENCE_MS = 30_000
/** A public address, at which nothing of this test is: what is sent there goes through the proxy. */
const PUBLIC = '93.184.215.14'

describe('settings are in force', () => {
  const open: TestGateway[] = []
  afterEach(async () => {
    for (const gateway of open.splice(0)) await gateway.close()
  })
  const start = async (options: GatewayOptions): Promise<TestGateway> => {
    const gateway = await startGateway(options)
    open.push(gateway)
    return gateway
  }

  it('artifacts_ttl: how long a file is kept', async () => {
    const clock = new HandClock()
    const gateway = await start({ env: { CAPSTAN_ARTIFACTS_TTL: '2m' }, overrides: { clock } })
    const { expires_at, file_url } = uploadedFile(await upload(gateway, form(part('hello'))))
    expect(Date.parse(expires_at) - clock.now()).to.equal(120_000)
    const link = file_url.slice(gateway.url.length)
    expect((await gateway.send(link, { key: null })).status).to.equal(200)
    clock.advance(120_000)
    expect((await gateway.send(link, { key: null })).status).to.equal(404)
  })

  it('limits.failed_logins_window: for how long an address is refused', async () => {
    const clock = new HandClock()
    const env = { CAPSTAN_LIMIT_FAILED_LOGINS: '1', CAPSTAN_LIMIT_FAILED_LOGINS_WINDOW: '100s' }
    const gateway = await start({ env, overrides: { clock } })
    const guess = () => gateway.send('/v1/account', { key: `cap_${'x'.repeat(49)}` })
    clock.advance(1_000)
    expectProblem(await guess(), 'invalid-api-key')
    const refused = await guess()
    expectProblem(refused, 'rate-limited')
    expect(refused.headers['retry-after']).to.equal('100')
    clock.advance(100_001)
    expectProblem(await guess(), 'invalid-api-key')
  })

  for (const work of ['browser', 'code', 'media'] as const) {
    it(`limits.${work}_slots: how many calls of this work run at once`, async () => {
      const stage = new Stage()
      const clock = new HandClock()
      const script: Script = { 'test.echo': [stage.vendor('one')], echo: { work, timeoutMs: 4 * PATIENCE_MS } }
      const gateway = await start({ script, env: { [`CAPSTAN_LIMIT_${work.toUpperCase()}_SLOTS`]: '1' }, overrides: { clock } })
      const first = gateway.post(ECHO, { text: 'wait' })
      await stage.until(() => stage.waiting === 1)
      const second = gateway.post(ECHO, { text: 'wait too' })
      // Held is the price of both once the second waits for its place.
      await until(async () => (await gateway.money()).held === 2)
      await settle(20)
      expect(stage.waiting).to.equal(1)
      clock.advance(PATIENCE_MS)
      const refused = await second
      expect(expectProblem(refused, 'overloaded').error?.detail).to.contain(`All 1 slots for ${work} work`)
      stage.release()
      expect((await first).status).to.equal(200)
    })
  }

  it('limits.body: the longest body of a call', async () => {
    const gateway = await start({ env: { CAPSTAN_LIMIT_BODY: '2KiB' } })
    const body = (bytes: number): string => `{"text":"hi"${' '.repeat(bytes - 13)}}`
    expect((await gateway.post(ECHO, body(2048))).status).to.equal(200)
    expectProblem(await gateway.post(ECHO, body(2049)), 'payload-too-large')
  })

  it('limits.aborts_per_minute: how many calls an account may give up', async () => {
    const stage = new Stage()
    const gateway = await start({ script: { 'test.echo': [stage.vendor('one')] }, env: { CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '2' } })
    const { hostname, port } = new URL(gateway.url)
    const giveUp = async (count: number): Promise<void> => {
      const text = JSON.stringify({ text: 'wait' })
      const head = `POST ${ECHO} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\n`
      const socket = connect(Number(port), hostname)
      socket.write(`${head}content-length: ${text.length}\r\n\r\n${text}`)
      await stage.until(() => stage.waiting === 1)
      socket.destroy()
      await stage.until(() => stage.aborted.length === count)
    }
    for (const count of [1, 2]) await giveUp(count)
    expect((await gateway.post(ECHO, { text: 'hi' })).status).to.equal(200)
    await giveUp(3)
    expect(expectProblem(await gateway.post(ECHO, { text: 'hi' }), 'rate-limited').error?.detail).to.contain('more than 2 calls')
  })

  it('outbound.proxy, outbound.per_host and net.dns: the way to a page', async () => {
    let [together, most] = [0, 0]
    const waiting: (() => void)[] = []
    const heads: string[] = []
    const proxy = await rawServer((socket, head) => {
      if (head.startsWith('CONNECT')) {
        heads.push(head.split('\r\n')[0] ?? '')
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        return
      }
      most = Math.max(most, ++together)
      waiting.push(() => {
        together--
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi')
      })
    })
    const names = await zoneServer({ 'page.example': { A: [PUBLIC] } })
    const run: NonNullable<Script['test.echo']>[number]['run'] = async (_input, { web }) => {
      const pages = Array.from({ length: 3 }, () => web.get('http://page.example/'))
      const texts = (await Promise.all(pages)).map(({ bytes }) => Buffer.from(bytes).toString())
      return { text: texts.join() }
    }
    const file = `outbound:\n  proxy: ${proxy.url}\n  per_host: 1\nnet:\n  dns: ${names.address}\n`
    const gateway = await start({ file, script: { 'test.echo': [{ vendor: 'one', run }] } })
    const reply = gateway.post(ECHO, { text: 'hi' })
    let over = false
    void reply.finally(() => (over = true))
    while (!over) {
      await settle(20)
      for (const answer of waiting.splice(0)) answer()
    }
    const answered = await reply
    expect(answered.json().data, answered.text).to.deep.equal({ text: 'hi,hi,hi' })
    expect(heads).to.deep.equal(Array.from({ length: 3 }, () => `CONNECT ${PUBLIC}:80 HTTP/1.1`))
    expect(most).to.equal(1)
    await Promise.all([proxy.close(), names.close()])
  })

  it('otel.endpoint: where traces go', async () => {
    const paths: string[] = []
    const collector = await httpServer((request, response) => {
      paths.push(request.url ?? '')
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
    })
    const gateway = await startGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    await gateway.post(ECHO, { text: 'hi' })
    await gateway.close()
    await collector.close()
    expect(paths).to.deep.equal(['/v1/traces'])
  })

  it('server.admin_host: at which address the operator is answered', async () => {
    const free = await httpServer((_request, response) => response.end())
    const env = { CAPSTAN_ADMIN_HOST: '127.0.0.2', CAPSTAN_ADMIN_PORT: String(free.port), CAPSTAN_PORT: '0' }
    await free.close()
    const data = await mkdtemp(join(tmpdir(), 'capstan-admin-host-'))
    const { settings } = loadConfig({ file: null, env: { ...env, CAPSTAN_DATA: data }, root: packageRoot() })
    const answer = (text: string) => (_request: unknown, response: { end: (text: string) => void }) => response.end(text)
    const handlers = { listener: answer('main'), adminListener: answer('admin'), ownerListener: answer('owner') }
    const listeners = await openListeners(settings, handlers, { publicUrl: () => '', log: () => undefined })
    try {
      expect(await (await fetch(`http://127.0.0.2:${free.port}/`)).text()).to.equal('admin')
      const [error] = (await once(connect(free.port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException]
      expect(error.code).to.equal('ECONNREFUSED')
    } finally {
      listeners.close()
      await rm(data, { recursive: true, force: true })
    }
  })
})
