import { expect } from 'chai'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { send, type Reply } from '../support/gateway.js'
import { GuestPlugins } from '../support/guest-plugin.js'
import { expectProblem } from '../support/problem.js'
import { Served, soon } from '../support/served.js'
import { SmallDisk } from '../support/small-disk.js'
import { form, FORM, part } from '../support/upload.js'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

describe('B5 F-29 a full disk under a gateway that serves', function () {
  this.timeout(120_000)
  const guests = new GuestPlugins()
  let served: Served | null = null
  let disk: SmallDisk | null = null
  before(() => {
    guests.write({ name: 'says', providers: { says: { run: 'async ({ text }) => ({ text })' } } })
    guests.write({
      name: 'keeps',
      providers: { keeps: { run: 'async ({ text }, ctx) => (await ctx.scratch.write(Buffer.from(text)), { text })' } },
    })
  })
  after(() => guests.remove())
  afterEach(async () => {
    await served?.end()
    disk?.remove()
    served = disk = null
  })

  const start = async (data: string | undefined, env: Record<string, string>): Promise<{ gateway: Served; key: string }> => {
    const gateway = new Served({ ...(data === undefined ? {} : { data }), env: { CAPSTAN_PLUGINS: guests.folder, ...env } })
    served = gateway
    await gateway.line('ready')
    return { gateway, key: (await gateway.account(100_000)).key }
  }
  const call = (gateway: Served, key: string, name = 'says'): Promise<Reply> => gateway.send(`/v1/${name}`, { key, body: { text: 'hi' } })
  const ready = async (gateway: Served, part: string): Promise<{ status: number; check: Check | undefined }> => {
    const reply = await send(`${gateway.adminUrl}/readyz`)
    return { status: reply.status, check: reply.json<{ checks: Check[] }>().checks.find(({ name }) => name === `disk of ${part}`) }
  }
  const isFull = async (gateway: Served, part: string): Promise<number> =>
    Number(new RegExp(`^capstan_disk_full\\{part="${part}"\\} (\\d)$`, 'm').exec((await send(`${gateway.adminUrl}/metrics`)).text)?.[1])
  const events = (gateway: Served, event: string): Record<string, unknown>[] =>
    gateway.err
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.includes(`"event":"${event}"`) ? [JSON.parse(line) as Record<string, unknown>] : []))

  it('of the ledger: named to callers, in readiness, metrics and log, and over by itself when there is room', async function () {
    const small = (disk = new SmallDisk(this, 48))
    const data = join(small.folder, 'data')
    mkdirSync(data)
    const { gateway, key } = await start(data, { CAPSTAN_ARTIFACTS: `file:${guests.folder}/files` })
    expect((await call(gateway, key)).status).to.equal(200)
    expect((await ready(gateway, 'ledger')).check).to.deep.include({ ok: true })
    small.fill()
    let refused = await call(gateway, key)
    for (let count = 0; refused.status === 200 && count < 5_000; count++) refused = await call(gateway, key)
    const { error } = expectProblem(refused, 'store-unavailable')
    expect(error?.detail).to.equal('The disk of the ledger is full, so no call can be paid for. Nothing was charged.')
    for (let count = 0; count < 20; count++) expect((await call(gateway, key)).status).to.equal(503)
    const { status, check } = await ready(gateway, 'ledger')
    expect(status).to.equal(503)
    expect(check).to.deep.include({ ok: false })
    expect(check?.detail).to.contain(`in ${data}; paid calls are refused until there is more`)
    expect(await isFull(gateway, 'ledger')).to.equal(1)
    await gateway.until(() => events(gateway, 'disk-full').length > 0)
    expect(events(gateway, 'disk-full')).to.have.length(1)
    expect(events(gateway, 'disk-full')[0]).to.include({ level: 'error', part: 'ledger', folder: data })
    expect(events(gateway, 'store-away'), 'the database answers').to.deep.equal([])

    small.free()
    await gateway.until(() => events(gateway, 'disk-free').length > 0, 60_000)
    expect((await ready(gateway, 'ledger')).status).to.equal(200)
    expect(await isFull(gateway, 'ledger')).to.equal(0)
    expect((await call(gateway, key)).status).to.equal(200)
    gateway.signal('SIGTERM')
    expect(await soon(gateway.ended, 20_000)).to.deep.equal({ code: 0, signal: null })
  })

  it('of files: uploads are refused, the gateway stays ready, and says which folder', async function () {
    const small = (disk = new SmallDisk(this, 64))
    const folder = join(small.folder, 'files')
    const { gateway, key } = await start(undefined, { CAPSTAN_ARTIFACTS: `file:${folder}` })
    const put = (): Promise<Reply> =>
      gateway.send('/v1/files', { key, method: 'POST', body: form(part('hello')).toString(), headers: { 'content-type': FORM } })
    expectProblem(await put(), 'overloaded')
    expect((await call(gateway, key)).status).to.equal(200)
    const { status, check } = await ready(gateway, 'files')
    expect([status, check?.ok]).to.deep.equal([200, false])
    expect(check?.detail).to.contain(`in ${folder}; calls that create files are refused until there is more`)
    expect(await isFull(gateway, 'files')).to.equal(1)
    expect(events(gateway, 'disk-full')).to.have.length(1)
    expect(events(gateway, 'disk-full')[0]).to.include({ part: 'files', folder })
    small.resize(1024)
    expect((await ready(gateway, 'files')).check?.ok).to.equal(true)
    await gateway.until(() => events(gateway, 'disk-free').length > 0)
    expect((await put()).status).to.equal(200)
    expect(await isFull(gateway, 'files')).to.equal(0)
  })

  it('of temporary files: calls that need them are refused, the others served, and says which folder', async function () {
    const small = (disk = new SmallDisk(this, 64))
    const { gateway, key } = await start(undefined, { TMPDIR: small.folder })
    expectProblem(await call(gateway, key, 'keeps'), 'overloaded')
    expect((await call(gateway, key)).status).to.equal(200)
    const { status, check } = await ready(gateway, 'temporary')
    expect([status, check?.ok]).to.deep.equal([200, false])
    expect(check?.detail).to.contain(`in ${small.folder}`)
    expect(await isFull(gateway, 'temporary')).to.equal(1)
    expect(events(gateway, 'disk-full')).to.have.length(1)
    small.resize(1024)
    expect((await ready(gateway, 'temporary')).check?.ok).to.equal(true)
    await gateway.until(() => events(gateway, 'disk-free').length > 0)
    expect((await call(gateway, key, 'keeps')).status).to.equal(200)
  })
})
