import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { send } from '../support/gateway.js'
import { GuestPlugins } from '../support/guest-plugin.js'
import { expectProblem } from '../support/problem.js'
import { Served, soon, Upstream } from '../support/served.js'

describe('capstan serve and its operator', function () {
  this.timeout(60_000)
  let guests: GuestPlugins
  let served: Served | null = null
  beforeEach(() => {
    guests = new GuestPlugins()
    write("async () => ({ text: 'before' })")
  })
  afterEach(async () => {
    await served?.end()
    served = null
    guests.remove()
  })

  const write = (run: string): void => guests.write({ name: 'edited', providers: { edited: { run } } })
  const start = async (env: Record<string, string> = {}): Promise<{ gateway: Served; key: string }> => {
    const gateway = new Served({ env: { CAPSTAN_PLUGINS: guests.folder, ...env } })
    served = gateway
    await gateway.line('ready')
    return { gateway, key: (await gateway.account(1000)).key }
  }
  const says = async (gateway: Served, key: string): Promise<unknown> =>
    (await gateway.send('/v1/edited', { key, body: { text: 'a' } })).json<{ data: { text: string } }>().data.text
  const events = (gateway: Served, event: string): Record<string, unknown>[] =>
    gateway.err
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.includes(`"event":"${event}"`) ? [JSON.parse(line) as Record<string, unknown>] : []))

  it('B8 W15 SIGHUP reads plugins again: a changed one is in use, one that cannot be read stays as it was', async () => {
    const { gateway, key } = await start()
    expect(await says(gateway, key)).to.equal('before')
    write("async () => ({ text: 'after' })")
    gateway.signal('SIGHUP')
    await gateway.until(() => events(gateway, 'reloaded').length === 1)
    expect(await says(gateway, key)).to.equal('after')
    write('async () => ({ text: ')
    gateway.signal('SIGHUP')
    await gateway.until(() => events(gateway, 'reloaded').length === 2)
    expect(events(gateway, 'plugin-outdated').map(({ level, plugin }) => [level, plugin])).to.deep.equal([['warn', 'edited']])
    expect(await says(gateway, key)).to.equal('after')
    expect((await send(`${gateway.adminUrl}/readyz`)).status).to.equal(200)
  })

  it('B7 SIGHUP names changed settings that wait for a restart, and a configuration that is wrong keeps the old state', async () => {
    const file = join(guests.folder, 'capstan.yml')
    writeFileSync(file, 'limits:\n  body: 1mb\n')
    const { gateway, key } = await start({ CAPSTAN_CONFIG: file })
    writeFileSync(file, 'limits:\n  body: 2mb\nhistory:\n  days: 7\n')
    gateway.signal('SIGHUP')
    await gateway.until(() => events(gateway, 'restart-needed').length === 1)
    expect(events(gateway, 'restart-needed')[0]).to.deep.include({ level: 'warn', settings: ['limits.body', 'history.days'] })
    writeFileSync(file, 'limits:\n  body: much\n')
    gateway.signal('SIGHUP')
    await gateway.until(() => events(gateway, 'reload-failed').length > 0)
    expect(await says(gateway, key)).to.equal('before')
    const answer = await gateway.admin('POST', '/admin/v1/reload')
    expect(expectProblem(answer, 'conflict').error?.detail).to.match(/^The reload failed and the old state stays: .*limits\.body/s)
    expect(events(gateway, 'reload-failed'), 'each once').to.have.length(2)
    expect(await says(gateway, key)).to.equal('before')
  })

  it('F-30 W17 a stop cuts calls that still run after limits.grace: 503, nothing charged, and it ends in order', async () => {
    const upstream = await Upstream.start()
    try {
      const gateway = new Served({ env: { ...upstream.env, CAPSTAN_LIMIT_GRACE: '1' } })
      served = gateway
      await gateway.line('ready')
      const { key } = await gateway.account(10)
      upstream.keep()
      const running = gateway.call(key)
      await upstream.waiting(1)
      gateway.signal('SIGTERM')
      const reply = await soon(running, 20_000)
      expectProblem(reply, 'overloaded')
      expect(await soon(gateway.ended, 20_000)).to.deep.equal({ code: 0, signal: null })
    } finally {
      await upstream.close()
    }
  })

  it('a request that cannot be read has a line too, with the id that its answer carries', async () => {
    const { gateway } = await start()
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8')
    let answer = ''
    socket.on('data', (text: string) => (answer += text)).end('NO HTTP canary-9c\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    const id = /^X-Request-Id: (\S+)\r$/m.exec(answer)?.[1] ?? ''
    await gateway.until(() => events(gateway, 'request').some(({ request_id }) => request_id === id))
    const line = events(gateway, 'request').find(({ request_id }) => request_id === id)
    expect(line).to.include({ level: 'info', path: 'unknown', status: 400, slug: 'malformed-request' })
    expect(gateway.err).not.to.contain('canary')
  })

  it('W18 log.level is respected', async () => {
    const warn = await start({ CAPSTAN_LOG_LEVEL: 'warn' })
    expect(await says(warn.gateway, warn.key)).to.equal('before')
    warn.gateway.signal('SIGTERM')
    await soon(warn.gateway.ended, 20_000)
    expect(warn.gateway.err).not.to.match(/"level":"(?:debug|info)"/)
    await warn.gateway.end()
    const debug = await start({ CAPSTAN_LOG_LEVEL: 'debug' })
    await debug.gateway.send('/healthz')
    await debug.gateway.until(() => events(debug.gateway, 'probe').length > 0)
    expect(events(debug.gateway, 'probe')[0]).to.include({ level: 'debug', path: '/healthz' })
  })

  it('log.format chooses the form: JSON in a pipe unless text is requested; lines of requests come also at a stop', async () => {
    const { gateway, key } = await start({ CAPSTAN_LOG_FORMAT: 'text' })
    await says(gateway, key)
    gateway.signal('SIGTERM')
    await soon(gateway.ended, 20_000)
    expect(gateway.err).to.match(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} INFO {2}request: POST \/v1\/edited 200 ms=[\d.]+ credits=1 provider=edited request_id=req_\w+ account=\S+ key_id=\S+$/m,
    )
    expect(gateway.err).to.match(/ INFO {2}stopped: stopped$/m)
  })
})
