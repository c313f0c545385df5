import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { Reply } from '../support/gateway.js'
import type { WireCommand } from '../support/mongodb-wire.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'
import { Stage } from '../support/stage.js'

/** Hex does not shrink below half, so that this stays above 256 KiB when compressed. */
const LARGE = randomBytes(400 * 1024).toString('hex')

describe('an Idempotency-Key over replicas', function () {
  this.timeout(60_000)
  const site = new Site({ s3: true })
  const stage = new Stage()
  const script = {
    'test.echo': [
      {
        ...stage.vendor('one'),
        run: async (input, context) => (input.text === 'large' ? { text: LARGE } : await stage.vendor('one').run(input, context)),
      } satisfies ReturnType<Stage['vendor']>,
    ],
    'test.send': [stage.vendor('post')],
  }
  let replicas: Replica[]
  let key: string
  before(async function () {
    await site.open(this)
    await site.empty()
    replicas = await site.start(4, { script, mongoProxy: true })
    key = (await at(0).newKey()).key
    for (const replica of replicas) await call(replica, key)
  })
  after(async () => {
    stage.release()
    await site.end()
    await site.close()
  })

  const at = (index: number): Replica => replicas[index] ?? expect.fail('no replica')
  const keyed = (replica: Replica, name: string, text = 'hello'): Promise<Reply> =>
    call(replica, key, { text, headers: { 'idempotency-key': name } })
  /** Read from the one replica whose connections no test cuts. */
  const balance = async (): Promise<number> => (await at(3).money()).balance
  const runs = (text: string): number => stage.texts.filter((each) => each.endsWith(`:${text}`)).length

  it('T-62 an answer given by one replica is replayed byte for byte by every other, and charged once', async () => {
    const before = await balance()
    const first = await keyed(at(0), 'once', 'said once')
    expect(first.status).to.equal(200)
    for (const replica of replicas) {
      const replay = await keyed(replica, 'once', 'said once')
      expect(replay.text).to.equal(first.text)
      expect(replay.headers).to.include({ 'idempotent-replayed': 'true', 'x-credits-used': first.headers['x-credits-used'] })
    }
    expect(runs('said once')).to.equal(1)
    expect(before - (await balance())).to.equal(1)
  })

  it('a 422 that came out of the work is replayed by another replica too, for nothing', async () => {
    const before = await balance()
    const [first, second] = [await keyed(at(1), 'refused', 'missing'), await keyed(at(2), 'refused', 'missing')]
    expect([first.status, second.status, second.text === first.text]).to.deep.equal([422, 422, true])
    expect(runs('missing')).to.equal(1)
    expect(await balance()).to.equal(before)
  })

  it('T-62 N-14 of the same key sent to four replicas at the same instant one runs; the others get 409 or its answer', async () => {
    for (let round = 0; round < 4; round++) {
      const [before, text] = [await balance(), `instant ${round}`]
      const replies = await Promise.all([...replicas, ...replicas].map((replica) => keyed(replica, text, text)))
      const answered = replies.filter(({ status }) => status === 200)
      expect(replies.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).to.equal(true)
      expect(new Set(answered.map((reply) => reply.text)).size).to.equal(1)
      expect(answered.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).to.have.length(1)
      expect([runs(text), before - (await balance())]).to.deep.equal([1, 1])
    }
  })

  it('while one replica works the others answer 409 with Retry-After, and its answer once it is there', async () => {
    const running = keyed(at(0), 'running', 'wait here')
    await stage.until(() => stage.waiting === 1)
    for (const replica of replicas) {
      const refused = await keyed(replica, 'running', 'wait here')
      expect([refused.status, refused.json().error?.is_retriable]).to.deep.equal([409, true])
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 5)
    }
    stage.release()
    const { text, status } = await running
    expect(status).to.equal(200)
    expect((await keyed(at(3), 'running', 'wait here')).text).to.equal(text)
    expect(runs('wait here')).to.equal(1)
  })

  it('T-65 another body is 422 on every replica', async () => {
    await keyed(at(0), 'body', 'one thing')
    for (const replica of replicas) expect((await keyed(replica, 'body', 'another')).status).to.equal(422)
    expect(runs('another')).to.equal(0)
  })

  it('an answer above 256 KiB is kept as a file in the object store and replayed from there by another replica', async () => {
    const [before, kept] = [await balance(), (await site.s3.keys()).length]
    const first = await keyed(at(0), 'large', 'large')
    expect(first.json<{ data: { text: string } }>().data.text).to.equal(LARGE)
    expect((await site.s3.keys()).length).to.equal(kept + 1)
    const [record] = (await site.documents('idempotency')).filter(({ answer }) => (answer as { file: string | null } | null)?.file != null)
    expect((record?.answer as { body: { length(): number } }).body.length(), 'nothing of it lies in the database').to.equal(0)
    for (const replica of [at(1), at(2)]) expect((await keyed(replica, 'large', 'large')).text).to.equal(first.text)
    expect(before - (await balance())).to.equal(1)
    await site.pass(24 * 3_600_000 + 60_000, 6 * 3_600_000)
    await eventually(async () => (await site.s3.keys()).length === kept, 'the end of the file after a day')
    expect((await keyed(at(3), 'large', 'large')).headers, 'a day later it is a new call').not.to.have.property('idempotent-replayed')
  })

  it('an answer kept by a replica that could not charge is charged by the one that replays it, once, whoever comes later', async () => {
    const before = await balance()
    let disarm = (): number => 0
    const tried = new Promise<void>((resolve) => {
      disarm = at(0)
        .mongo()
        .arm({ matches: isCharge, fault: 'cut-request', times: 1_000_000, onHit: () => resolve() })
    })
    const stuck = keyed(at(0), 'stuck', 'stuck')
    await tried
    const replay = await keyed(at(1), 'stuck', 'stuck')
    expect(replay.headers['idempotent-replayed']).to.equal('true')
    expect(before - (await balance())).to.equal(1)
    expect(disarm()).to.be.at.least(1)
    const own = await stuck
    expect([own.status, own.text === replay.text]).to.deep.equal([200, true])
    expect(before - (await balance())).to.equal(1)
    expect(runs('stuck')).to.equal(1)
  })

  it('a key whose replica died is taken over by another after its lock: the old hold is given back, one answer is charged', async () => {
    const before = await balance()
    const dead = await site.replica({ script })
    const lost = keyed(dead, 'taken over', 'wait and die').catch((error: unknown) => error)
    await stage.until(() => stage.waiting === 1)
    site.halt(dead)
    expect((await keyed(at(1), 'taken over', 'wait and die')).status).to.equal(409)
    await site.pass(35_100, 5_000)
    const second = keyed(at(1), 'taken over', 'wait and die')
    await stage.until(() => stage.waiting === 2)
    stage.release()
    expect((await second).status).to.equal(200)
    expect((await keyed(at(2), 'taken over', 'wait and die')).text).to.equal((await second).text)
    expect(((await lost) as Reply).status, 'the first attempt no longer owns the key').to.equal(409)
    expect(before - (await balance())).to.equal(1)
    expect((await at(3).money()).held).to.equal(0)
  })

  it('a call that acts on the world is never carried out again by another replica: its key is closed', async () => {
    const act = (replica: Replica): Promise<Reply> =>
      replica.send('/v1/test/send', { body: { text: 'unsure' }, key, headers: { 'idempotency-key': 'act' } })
    expect((await act(at(0))).status).to.equal(502)
    for (const replica of replicas) expect((await act(replica)).status).to.equal(409)
    expect(stage.texts.filter((each) => each === 'post:unsure')).to.have.length(1)
  })
})

/** The step that ends a hold with money. */
function isCharge({ name, collection, document }: WireCommand): boolean {
  return name === 'findAndModify' && collection === 'accounts' && JSON.stringify(document.update).includes('"kind":"charge"')
}
