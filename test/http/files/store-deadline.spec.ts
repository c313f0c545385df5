import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { ACCOUNT, refusing, S3Server, type Trick } from '../../support/s3.js'
import { until } from '../../support/time.js'

const LIMIT_MS = 3_000
const silence: Trick = () => true
/** Sends the head and half of what it promised, and then nothing more, or the end of the connection. */
const half =
  (end: boolean): Trick =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': '400000' })
    response.write(Buffer.alloc(200_000), () => {
      if (end) response.destroy()
    })
    return true
  }

describe('an object store that hangs or breaks off', () => {
  const clock = new HandClock()
  const large = randomBytes(400_000).toString('base64')
  let server: S3Server
  let gateway: TestGateway
  let runs = 0
  before(async () => {
    clock.advance(1_000)
    server = await new S3Server(clock).start()
    const run = (input: { text: string }) => {
      runs++
      return Promise.resolve({ text: `${large}${input.text}` })
    }
    gateway = await startGateway({
      script: {
        'test.echo': [{ vendor: 'one', run }],
        'test.send': [{ vendor: 'post', run: (input) => Promise.resolve(input) }],
        echo: { work: 'light', timeoutMs: LIMIT_MS },
      },
      env: {
        CAPSTAN_ARTIFACTS: server.setting(),
        CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
        CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
      },
      overrides: { clock },
    })
  })
  after(async () => {
    await gateway.close()
    await server.close()
  })
  beforeEach(() => {
    server.requests.length = 0
    runs = 0
  })
  const call = (key: string): Promise<Reply> => gateway.post('/v1/test/echo', { text: 'x' }, { 'idempotency-key': key })
  const received = () => until(() => server.requests.length > 0)

  for (const [what, trick] of [
    ['does not answer', silence],
    ['answers a head and nothing more', half(false)],
  ] as const)
    it(`B9 a keyed call ends at its deadline when the store ${what} to the write of its answer, and is repeated once`, async () => {
      const key = `write ${what}`
      const before = await gateway.money()
      server.trick(trick)
      const calling = call(key)
      await received()
      clock.advance(LIMIT_MS - 1)
      clock.advance(1)
      expectProblem(await calling, 'deadline-exceeded')
      expect(await gateway.money()).to.deep.equal(before)
      expect((await call(key)).status).to.equal(200)
      expect((await call(key)).headers['idempotent-replayed']).to.equal('true')
      expect(runs, 'the first, and one repetition').to.equal(2)
      expect(await gateway.money()).to.deep.equal({ ...before, balance: before.balance - 1, available: before.available - 1 })
    })

  for (const [what, trick] of [
    ['does not answer', silence],
    ['hangs in the middle', half(false)],
  ] as const)
    it(`B9 a replay ends at the limit of its call when the store ${what}, and is read again later`, async () => {
      const key = `read ${what}`
      const first = await call(key)
      server.requests.length = 0
      server.trick(trick)
      const replaying = call(key)
      await received()
      clock.advance(LIMIT_MS)
      expectProblem(await replaying, 'deadline-exceeded')
      expect((await call(key)).text).to.equal(first.text)
      expect(runs).to.equal(1)
    })

  it('B9 a kept answer that breaks off half way is 503, not 500, and is read again later', async () => {
    const first = await call('broken off')
    server.trick(half(true))
    expectProblem(await call('broken off'), 'overloaded', { retriable: true })
    expect((await call('broken off')).text).to.equal(first.text)
  })

  it('B9 a download of a file from a store that does not answer is 503 after 20 s, without a second try', async () => {
    const { url } = await gateway.app.services.artifacts.put('default', Buffer.from('bytes'), { name: 'a.txt' })
    server.requests.length = 0
    server.trick(silence)
    const reading = gateway.send(url.slice(gateway.url.length), { key: null })
    await received()
    clock.advance(20_000)
    const reply = await reading
    expect([reply.status, server.requests.length]).to.deep.equal([503, 1])
  })

  it('B9 a store that hangs on the removal of what it refused holds the call up for a moment only', async () => {
    const refused = refusing(403, 'AccessDenied')
    server.trick(refused, silence)
    const calling = call('refused')
    await until(() => server.requests.some(({ method }) => method === 'DELETE'))
    clock.advance(2_500)
    expectProblem(await calling, 'overloaded')
  })

  it('B9 a write that was stopped leaves no object, no record and no use of the quota', async () => {
    const { artifacts } = gateway.app.services.store
    const records = async () => (await artifacts.expired(clock.now() + 1e12, 1_000)).length
    const kept = [(await server.keys()).length, await records()]
    server.trick(silence)
    const calling = call('undone')
    await received()
    clock.advance(LIMIT_MS)
    await calling
    await until(() => server.requests.some(({ method }) => method === 'DELETE'))
    await until(async () => (await records()) === kept[1])
    expect(await server.keys()).to.have.length(kept[0] ?? NaN)
  })
})
