import { expect } from 'chai'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GuestPlugins } from '../support/guest-plugin.js'
import { send } from '../support/gateway.js'
import { Served, soon, type ServedOptions } from '../support/served.js'
import { skip } from '../support/needs.js'
import { until } from '../support/time.js'

const BIG = 8_000_000
const FLOOD = 20_000

interface Envelope {
  readonly data: unknown
  readonly error: { readonly type: string } | null
}

interface ReloadAnswer {
  readonly success: boolean
  readonly outdated: readonly { readonly plugin: string; readonly reason: string }[]
}

describe('capstan serve and what goes wrong around its calls', function () {
  this.timeout(60_000)
  const guests = new GuestPlugins()
  let served: Served
  before(() => {
    guests.write({ name: 'big', providers: { big: { run: `async () => ({ text: 'x'.repeat(${BIG}) })` } } })
    guests.write({ name: 'fails', providers: { fails: { run: `async () => { throw new Error('x'.repeat(${FLOOD})) }` } } })
    guests.write({
      name: 'throws',
      providers: { throws: { run: "async () => (setImmediate(() => { throw new Error('late') }), { text: '' })" } },
    })
    guests.write({
      name: 'reports',
      providers: {
        slow: {
          run: "async (_, ctx) => { for (let n = 0; n < 40; n++) { await new Promise((r) => setTimeout(r, 20)); ctx.progress('still at it') } }",
          more: 'timeoutMs: 60',
        },
        next: { run: `async () => ({ text: 'x'.repeat(${BIG}) })` },
      },
    })
  })
  after(() => guests.remove())
  afterEach(() => served.end())

  const start = async (options: ServedOptions = {}): Promise<string> => {
    served = new Served({ ...options, env: { CAPSTAN_PLUGINS: guests.folder, ...options.env } })
    await served.line('ready')
    return (await served.account(10_000)).key
  }
  const call = (key: string, name: string) => served.send(`/v1/${name}`, { key, body: { text: 'a' } })
  /** What a call answers. On a busy machine a reload holds the event loop up, and calls are shed for a while: they are made again. */
  const answerOf = async (key: string, name: string): Promise<Envelope> => {
    let answer: Envelope | null = null
    await until(async () => {
      answer = (await call(key, name)).json<Envelope>()
      return answer.error?.type.endsWith('/errors/overloaded') !== true
    })
    return answer ?? expect.fail('nothing was answered')
  }
  const metric = async (name: string): Promise<number> => {
    const { text } = await send(`${served.adminUrl}/metrics`)
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN)
  }
  /** A connection on which a call was sent; nothing is read of it until it is resumed. */
  const slowReader = (
    key: string,
    name: string,
    accept = 'application/json',
  ): { socket: Socket; bytes: () => number; text: () => string } => {
    const body = JSON.stringify({ text: 'a' })
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(
      `POST /v1/${name} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return { socket, bytes: () => chunks.reduce((sum, { length }) => sum + length, 0), text: () => Buffer.concat(chunks).toString() }
  }

  /** Calls that log, a probe, and how many lines were dropped; all within the time that a frozen process would not keep. */
  const goesOn = async (key: string, calls: number): Promise<void> => {
    for (let count = 0; count < calls; count++) expect((await soon(call(key, 'fails'))).status).to.equal(502)
    expect((await soon(served.send('/healthz'))).status).to.equal(200)
    expect(await soon(metric('capstan_log_lines_dropped_total'))).to.be.above(0)
  }

  it('what it keeps for a while lies in one folder, deleted by its stop, and after a kill by the next start', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'capstan-stop-test-'))
    // Users of jobs have to enter it.
    chmodSync(parent, 0o755)
    try {
      const env = { TMPDIR: parent, CAPSTAN_PLUGINS: guests.folder }
      served = new Served({ env })
      await served.line('ready')
      const [left] = readdirSync(parent)
      await served.end()
      expect(readdirSync(parent)).to.deep.equal([left])
      served = new Served({ env })
      await served.line('ready')
      expect(readdirSync(parent)).to.have.length(1).and.not.include(left)
      served.signal('SIGTERM')
      expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 0, signal: null })
      expect(readdirSync(parent)).to.deep.equal([])
    } finally {
      rmSync(parent, { recursive: true, force: true })
    }
  })

  it('a plugin whose files cannot be read at a reload goes on as it was, and the answer names it', async () => {
    const own = new GuestPlugins()
    const write = (run: string): void => own.write({ name: 'edited', providers: { edited: { run } } })
    try {
      write("async () => ({ text: 'before' })")
      const key = await start({ env: { CAPSTAN_PLUGINS: own.folder } })
      write('async () => ({ text: ')
      const reload = (await served.admin('POST', '/admin/v1/reload')).json<ReloadAnswer>()
      expect(reload.success).to.equal(false)
      expect(reload.outdated.map(({ plugin }) => plugin)).to.deep.equal(['edited'])
      expect(await answerOf(key, 'edited')).to.deep.include({ data: { text: 'before' } })
      write("async () => ({ text: 'after' })")
      expect((await served.admin('POST', '/admin/v1/reload')).json()).to.deep.include({ success: true, outdated: [] })
      expect(await answerOf(key, 'edited')).to.deep.include({ data: { text: 'after' } })
    } finally {
      own.remove()
    }
  })

  it('a log whose reader has gone costs its lines and nothing else', async () => {
    const key = await start()
    served.loseLog('gone')
    await goesOn(key, 3)
    served.signal('SIGTERM')
    expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 0, signal: null })
  })

  it('F-28 nor does one on a full disk', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has what this test reads')
    const full = openSync('/dev/full', 'w')
    const key = await start({ stderr: full })
    closeSync(full)
    await goesOn(key, 3)
  })

  it('one whose reader has stopped keeps a mebibyte, and delays no stop', async () => {
    const key = await start()
    served.loseLog('still')
    await goesOn(key, 100)
    served.signal('SIGTERM')
    expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 0, signal: null })
  })

  it('eleven errors that no call owned end it with exit code 1, so that it is started again', async () => {
    const key = await start()
    for (let count = 0; count < 11; count++) await call(key, 'throws').catch(() => undefined)
    expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 1, signal: null })
    expect(served.err).to.contain('11 unhandled errors within a minute')
  })

  it('a provider that reports after its time says nothing more, however slowly the answer is read', async () => {
    const key = await start()
    const reader = slowReader(key, 'reports', 'text/event-stream')
    reader.socket.pause()
    await served.until(() => served.err.includes('provider slow of reports'))
    await soon(call(key, 'fails'))
    expect(await metric('capstan_unowned_errors_total{origin="exception"}')).to.equal(0)
    expect(served.runs).to.equal(true)
    reader.socket.destroy()
  })

  it('F-30 a stop lets an answer that is being read slowly be read to its end', async () => {
    const key = await start()
    const reader = slowReader(key, 'big')
    await new Promise<void>((resolve) => reader.socket.once('data', () => resolve()))
    reader.socket.pause()
    served.signal('SIGTERM')
    await served.until(() => served.err.includes('SIGTERM'))
    // Behind the time that the port stays open: the request is refused, or the port closed.
    await until(async () => (await served.send('/healthz').catch(() => null)) === null)
    expect(served.runs).to.equal(true)
    reader.socket.resume()
    await new Promise<void>((resolve) => reader.socket.once('close', () => resolve()))
    expect(reader.bytes()).to.be.above(BIG)
    expect(reader.text().endsWith('}')).to.equal(true)
    expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 0, signal: null })
  })

  it('F-30 a stop takes calls on kept connections for a while, each answer the last on its own, and is not ready meanwhile', async () => {
    const key = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const kept = (): Promise<{ status: number; connection: string | undefined }> =>
      new Promise((resolve, reject) => {
        const sent = request(`${served.url}/v1/calls?limit=1`, { agent, headers: { authorization: `Bearer ${key}` } }, (incoming) => {
          incoming.resume().on('end', () => resolve({ status: incoming.statusCode ?? 0, connection: incoming.headers.connection }))
        })
        sent.on('error', reject).end()
      })
    expect(await kept()).to.deep.equal({ status: 200, connection: 'keep-alive' })
    served.signal('SIGTERM')
    await served.until(() => served.err.includes('SIGTERM'))
    expect((await served.send('/readyz')).status).to.equal(503)
    expect(await kept()).to.deep.equal({ status: 200, connection: 'close' })
    agent.destroy()
    expect(await soon(served.ended, 15_000)).to.deep.equal({ code: 0, signal: null })
  })

  it('F-30 SIGHUP during the start does not end it', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has what this test reads')
    served = new Served({ env: { CAPSTAN_PLUGINS: guests.folder } })
    const heeded = (): boolean =>
      (Number.parseInt(/^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8'))?.[1]?.slice(-2) ?? '', 16) & 1) === 1
    await until(() => heeded())
    expect(served.out, 'it is not ready yet').to.equal('')
    served.signal('SIGHUP')
    await served.line('ready')
    expect(served.runs).to.equal(true)
  })
})
