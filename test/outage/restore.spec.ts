import { expect } from 'chai'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { auditMongo } from '../../scripts/capstan/audit/mongodb.js'
import { systemClock } from '../../core/runtime/clock.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { send, startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { needsOwnMongo } from '../support/mongodb.js'
import { MongoServer } from '../support/mongodb-server.js'
import { needsProgram } from '../support/needs.js'
import { expectProblem } from '../support/problem.js'
import { startRedis } from '../support/redis.js'
import { ACCOUNT, refusing, S3Server } from '../support/s3.js'
import { capstan } from '../support/served.js'
import { until } from '../support/time.js'

const CREDITS = 5_000

describe('backup and restore', function () {
  this.timeout(30_000)
  const folders: string[] = []
  const ends: (() => Promise<unknown>)[] = []
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'capstan-restore-'))
    folders.push(made)
    return made
  }
  const start = async (options: Parameters<typeof startGateway>[0] = {}): Promise<TestGateway> => {
    const gateway = await startGateway({ folder: folder(), ...options })
    ends.push(() => gateway.close())
    return gateway
  }
  const call = (gateway: TestGateway, key: string): Promise<Reply> => gateway.send('/v1/test/echo', { key, body: { text: 'hello' } })
  const put = async (gateway: TestGateway, text: string): Promise<string> =>
    (await gateway.app.services.artifacts.put('default', Buffer.from(text), { name: 'report.txt', contentType: 'text/plain' })).url
  /** The same link at another address of the gateway. */
  const follow = (gateway: TestGateway, url: string): Promise<Reply> => gateway.send(url.slice(new URL(url).origin.length), { key: null })

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
  })

  it('F-42 SQLite: a copy taken by capstan backup under load serves keys, links and money as they were at its moment', async () => {
    const gateway = await start()
    const { id, key } = await gateway.newAccount(CREDITS)
    const revoked = await gateway.newKey({}, id)
    expect((await gateway.admin('DELETE', `/admin/v1/accounts/${id}/keys/${revoked.id}`)).status).to.equal(200)
    const link = await put(gateway, 'kept')
    let paid = 0
    let over = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!over) if ((await call(gateway, key)).status === 200) paid++
    })
    await until(() => paid >= 20)
    const [file, before] = [join(folder(), 'copy.db'), paid]
    const { code, err } = await capstan(['backup', file, '--json'], { data: gateway.folder })
    const behind = paid + clients.length
    expect(code, err).to.equal(0)
    over = true
    await Promise.all(clients)
    expect((await gateway.money(id)).balance).to.equal(CREDITS - paid)

    expect(auditLedger({ file }).problems).to.deep.equal([])
    const copy = await openSqliteStore({ file, thread: 'same' })
    const copied = await copy.ledger.balance(id)
    await copy.close()
    const charged = CREDITS - (copied?.balance ?? NaN) / 1000
    expect(charged).to.be.within(before, behind)

    const data = folder()
    cpSync(file, join(data, 'capstan.db'))
    cpSync(join(gateway.folder, 'artifacts'), join(data, 'artifacts'), { recursive: true })
    const restored = await start({ folder: data })
    const { balance, held } = await restored.money(id)
    expect(held, 'holds of calls that were running').to.equal(0)
    expect(CREDITS - balance, 'answers not yet marked as delivered are given back').to.be.within(charged - clients.length * 4, charged)
    expect((await call(restored, key)).status).to.equal(200)
    expect((await restored.money(id)).balance).to.equal(balance - 1)
    expect((await call(restored, revoked.key)).status).to.equal(401)
    expect((await follow(restored, link)).text).to.equal('kept')
    expect(auditLedger({ file: join(data, 'capstan.db') }).problems).to.deep.equal([])
  })

  it('F-42 MongoDB: a copy of the data folder of a server that was stopped serves the same (mongodump is not on this machine)', async function () {
    const program = needsOwnMongo(this)
    const [first, second] = [folder(), folder()]
    const server = await MongoServer.start({ program, folder: first })
    ends.push(() => server.end())
    const gateway = await startGateway({ folder: folder(), env: { CAPSTAN_STORE: server.uri('capstan') } })
    const { id, key } = await gateway.newAccount(CREDITS)
    for (let count = 0; count < 5; count++) expect((await call(gateway, key)).status).to.equal(200)
    const link = await put(gateway, 'kept')
    await gateway.close()
    process.kill(server.pid, 'SIGTERM')
    await until(() => gone(server.pid))

    cpSync(first, second, { recursive: true })
    const other = await MongoServer.start({ program, folder: second })
    ends.push(() => other.end())
    const uri = other.uri('capstan')
    expect(await auditMongo({ uri })).to.deep.include({ ok: true, problems: [] })
    const restored = await start({ folder: gateway.folder, env: { CAPSTAN_STORE: uri } })
    expect(await restored.money(id)).to.deep.equal({ balance: CREDITS - 5, held: 0, available: CREDITS - 5 })
    expect((await call(restored, key)).status).to.equal(200)
    expect((await restored.money(id)).balance).to.equal(CREDITS - 6)
    expect((await follow(restored, link)).text).to.equal('kept')
    expect(restored.firstRun, 'no second first start').to.equal(null)
    expect((await auditMongo({ uri })).problems).to.deep.equal([])
  })

  it('files that a restored folder lacks are 404, and nothing else breaks', async () => {
    const gateway = await start()
    const [lost, kept] = [await put(gateway, 'lost'), await put(gateway, 'kept')]
    const [, , id = ''] = new URL(lost).pathname.split('/')
    const artifacts = join(gateway.folder, 'artifacts')
    const [place] = readdirSync(artifacts, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(id))
    rmSync(join(artifacts, place ?? 'missing'))
    expectProblem(await follow(gateway, lost), 'not-found')
    expect((await follow(gateway, kept)).text).to.equal('kept')
    rmSync(artifacts, { recursive: true })
    expectProblem(await follow(gateway, kept), 'not-found')
    expect((await follow(gateway, await put(gateway, 'new'))).text).to.equal('new')
    expect((await call(gateway, gateway.key)).status).to.equal(200)
  })

  it('objects that a bucket lacks are 404, and nothing else breaks', async () => {
    const server = await new S3Server(systemClock).start()
    ends.push(() => server.close())
    const credentials = { CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId, CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey }
    const gateway = await start({ env: { CAPSTAN_ARTIFACTS: server.setting(), ...credentials } })
    const link = await put(gateway, 'kept')
    server.trick(refusing(404, 'NoSuchKey'))
    expectProblem(await send(link), 'not-found')
    expect((await send(link)).text).to.equal('kept')
    expect((await call(gateway, gateway.key)).status).to.equal(200)
  })

  it('F-15 an empty Redis loses nothing but limits: money, keys, refusals, history and links stay', async function () {
    needsProgram(this, 'redis-server')
    const redis = await startRedis()
    ends.push(() => redis.close())
    const gateway = await start({ env: { CAPSTAN_REDIS: redis.url } })
    const { id, key } = await gateway.newAccount(CREDITS)
    const revoked = await gateway.newKey({}, id)
    await call(gateway, revoked.key)
    await gateway.admin('DELETE', `/admin/v1/accounts/${id}/keys/${revoked.id}`)
    const link = await put(gateway, 'kept')
    const replay = { method: 'POST', key, body: { text: 'once' }, headers: { 'idempotency-key': 'restore-1' } }
    const once = await gateway.send('/v1/test/echo', replay)
    const history = async () => (await gateway.send('/v1/calls', { key })).json<{ calls: unknown[] }>().calls
    const [money, calls] = [await gateway.money(id), await history()]
    expect(await redis.admin.dbsize()).to.be.above(0)
    await redis.admin.flushall()
    await redis.admin.script('FLUSH')

    expect(await gateway.money(id)).to.deep.equal(money)
    expect(await history()).to.deep.equal(calls)
    expect((await call(gateway, revoked.key)).status).to.equal(401)
    const again = await gateway.send('/v1/test/echo', replay)
    expect([again.headers['idempotent-replayed'], again.text]).to.deep.equal(['true', once.text])
    expect((await follow(gateway, link)).text).to.equal('kept')
    expect((await call(gateway, key)).status).to.equal(200)
    expect((await gateway.money(id)).balance).to.equal(money.balance - 1)
  })
})

/** Whether the process has ended; a child of ours is reaped by then. */
function gone(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
