import { expect } from 'chai'
import { send } from '../support/gateway.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'
import type { Scripted } from '../support/test-plugin.js'

const QUOTA = 1_000_000
const SIZE = 300_000

describe('files of replicas on one object store', function () {
  this.timeout(60_000)
  const site = new Site({ s3: true })
  const maker: Scripted = {
    vendor: 'one',
    run: async ({ text }, { files }) => {
      const { url } = await files.put(Buffer.alloc(text === 'small' ? 100 : SIZE, text), { name: 'report.txt', contentType: 'text/plain' })
      return { text: url }
    },
  }
  const script = { 'test.echo': [maker, { ...maker, vendor: 'two' }] }
  let replicas: Replica[]
  let key: string
  /** Objects that were there before the test. */
  let old: Set<string>
  before(async function () {
    await site.open(this)
  })
  beforeEach(async () => {
    await site.empty()
    replicas = await site.start(3, { script, env: { CAPSTAN_ARTIFACTS_QUOTA: String(QUOTA) } })
    key = (await at(0).newKey()).key
    old = new Set(await site.s3.keys())
  })
  afterEach(() => site.end())
  after(() => site.close())

  const at = (index: number): Replica => replicas[index] ?? expect.fail('no replica')
  const made = async (replica: Replica, text: string): Promise<string> => {
    const reply = await call(replica, key, { text })
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<{ data: { text: string } }>().data.text
  }
  const objects = async (): Promise<string[]> => (await site.s3.keys()).filter((name) => !old.has(name))
  /** The same link at another replica: behind one public address any of them answers. */
  const through = (replica: Replica, link: string): string => replica.url + link.slice(new URL(link).origin.length)

  it('a link made by one is served by every other, with all its headers, and a wrong one by none', async () => {
    const link = await made(at(0), 'small')
    for (const replica of replicas) {
      const reply = await send(through(replica, link))
      expect(reply.text).to.equal('small'.repeat(20))
      expect(reply.headers).to.include({ 'content-length': '100', 'x-content-type-options': 'nosniff' })
      expect((await send(through(replica, link.replace(/signature=./, 'signature=~')))).status).to.equal(404)
    }
  })

  it('one that starts later serves links made before it', async () => {
    const link = await made(at(0), 'small')
    const late = await site.replica({ script })
    expect((await send(through(late, link))).status).to.equal(200)
    expect((await send(through(at(1), await made(late, 'small')))).status).to.equal(200)
  })

  it('a link ends at the same moment on all, and the file is deleted once though all search for expired files', async () => {
    const link = await made(at(0), 'large')
    expect(await at(1).app.services.store.artifacts.used('default')).to.equal(SIZE)
    await site.pass(3_599_000)
    expect((await send(through(at(1), link))).status).to.equal(200)
    await site.pass(1_000)
    for (const replica of replicas) expect((await send(through(replica, link))).status).to.equal(404)
    await site.pass(60_000)
    await eventually(async () => (await objects()).length === 0 && (await site.documents('artifacts')).length === 0, 'an empty store')
    expect((await site.documents('accounts')).map(({ stored }) => stored)).to.deep.equal([0])
  })

  it('the quota of an account counts over all: of many files made at once only so many as fit are kept, and nothing else is charged', async () => {
    const before = (await at(0).money()).balance
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => call(at(index % 3), key, { text: 'large' })))
    const kept = replies.filter(({ status }) => status === 200).length
    expect(kept).to.equal(Math.floor(QUOTA / SIZE))
    for (const { status, headers } of replies) if (status !== 200) expect([status, headers['x-credits-used']]).to.deep.equal([503, '0'])
    expect(before - (await at(0).money()).balance).to.equal(kept)
    expect(await objects()).to.have.length(kept)
    expect(await at(2).app.services.store.artifacts.used('default')).to.equal(kept * SIZE)
  })

  it('an account without room takes no provider away from the others, on no replica', async () => {
    const { key: other } = await at(0).newAccount(10)
    for (let each = 0; each < 9; each++) await call(at(0), key, { text: 'large' })
    await site.pass(1_000)
    for (const replica of replicas) {
      const { metadata, success } = (await call(replica, other, { text: 'small' })).json()
      expect([success, metadata.provider_used]).to.deep.equal([true, 'one'])
    }
  })
})
