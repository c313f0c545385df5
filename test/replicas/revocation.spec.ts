import { expect } from 'chai'
import type { Reply } from '../support/gateway.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'

const REPLICAS = 4
const ROUNDS = 3
/** Calls under way on each replica at any moment. */
const ABREAST = 3

/** A caller without pauses on each replica until it is stopped. Every call is marked with the phase in which it began. */
class Callers {
  readonly replies: { readonly label: string; readonly reply: Reply }[] = []
  #moment: string
  #stopped = false
  #count = 0
  readonly #running: Promise<void>[]

  constructor(replicas: readonly Replica[], key: string, moment: string) {
    this.#moment = moment
    this.#running = replicas.flatMap((replica) => Array.from({ length: ABREAST }, () => this.#work(replica, key)))
  }

  /** Marks the calls that begin from now on. */
  mark(moment: string): void {
    this.#moment = moment
  }

  of(moment: string): Reply[] {
    return this.replies.filter(({ label }) => label.startsWith(`${moment}-`)).map(({ reply }) => reply)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#running)
  }

  async #work(replica: Replica, key: string): Promise<void> {
    while (!this.#stopped) {
      const label = `${this.#moment}-${++this.#count}`
      this.replies.push({ label, reply: await call(replica, key, { headers: { 'x-request-id': label } }) })
    }
  }
}

describe('revocation over replicas', function () {
  this.timeout(60_000)
  const site = new Site()
  let replicas: Replica[]
  before(async function () {
    await site.open(this)
    await site.empty()
    replicas = await site.start(REPLICAS)
  })
  after(async () => {
    await site.end()
    await site.close()
  })

  const at = (index: number): Replica => replicas[index % REPLICAS] ?? expect.fail('no replica')
  /** Request ids of the calls that were charged and not given back. */
  const charged = async (): Promise<string[]> => {
    const entries = await site.entries()
    const refunded = new Set(entries.filter(({ kind }) => kind === 'refund').map(({ ref }) => ref.slice(3)))
    return entries.flatMap(({ kind, ref, facts }) => (kind === 'charge' && !refunded.has(ref) ? [facts?.request_id ?? ''] : []))
  }

  /** Calls on all replicas, ends the key's right to call through one of them, calls on; then judges. */
  const endUnderLoad = async (round: string, key: string, end: () => Promise<void>): Promise<Callers> => {
    const callers = new Callers(replicas, key, `${round}.before`)
    await eventually(() => callers.replies.length >= 2 * REPLICAS * ABREAST, 'calls on every replica')
    await end()
    callers.mark(`${round}.after`)
    await eventually(() => callers.of(`${round}.after`).length >= 2 * REPLICAS * ABREAST, 'calls after the end of the key')
    await callers.stop()
    return callers
  }

  const judge = async (round: string, callers: Callers, refusal: number): Promise<void> => {
    const late = callers.of(`${round}.after`)
    expect(late.map(({ status }) => status)).to.deep.equal(late.map(() => refusal))
    const early = callers.of(`${round}.before`)
    expect(new Set(early.map(({ status }) => status))).to.include(200)
    for (const { status, text } of early) expect(status, text).to.be.oneOf([200, refusal])
    const paid = await charged()
    expect(paid.filter((id) => id.startsWith(`${round}.after-`))).to.deep.equal([])
    const answered = callers.replies.filter(({ reply }) => reply.status === 200).map(({ label }) => label)
    expect(paid.filter((id) => id.startsWith(`${round}.`))).to.have.members(answered)
  }

  it('T-10 N-15 no call that begins after the 200 of a delete is charged, on any replica, however many are under way', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, key } = await at(0).newKey()
      const callers = await endUnderLoad(`delete${round}`, key, async () => {
        const deleted = await at(round + 1).send(`/v1/keys/${id}`, { method: 'DELETE', key: (await at(0).newKey()).key })
        expect(deleted.status, deleted.text).to.equal(200)
      })
      await judge(`delete${round}`, callers, 401)
    }
  })

  it('rotation without overlap ends the old key on all replicas with its answer, and the new one works on all', async () => {
    const { id, key } = await at(0).newKey()
    const owner = (await at(0).newKey()).key
    let fresh = ''
    const callers = await endUnderLoad('rotate', key, async () => {
      const rotated = await at(2).send(`/v1/keys/${id}/rotate`, { body: { overlap_seconds: 0 }, key: owner })
      expect(rotated.status, rotated.text).to.equal(200)
      fresh = rotated.json<{ key: string }>().key
    })
    await judge('rotate', callers, 401)
    for (const replica of replicas) expect((await call(replica, fresh)).status).to.equal(200)
  })

  it('rotation with overlap lets the old key live exactly so long on replicas that had it in memory', async () => {
    const { id, key } = await at(0).newKey()
    const owner = (await at(0).newKey()).key
    for (const replica of replicas) expect((await call(replica, key)).status).to.equal(200)
    const rotated = await at(1).send(`/v1/keys/${id}/rotate`, { body: { overlap_seconds: 20 }, key: owner })
    expect(rotated.status, rotated.text).to.equal(200)
    for (const replica of replicas) expect((await call(replica, key)).status, 'within the overlap').to.equal(200)
    await site.pass(19_900)
    for (const replica of replicas) expect((await call(replica, key)).status, 'just before its end').to.equal(200)
    await site.pass(100)
    for (const replica of replicas) expect((await call(replica, key)).status, 'at its end').to.equal(401)
  })

  it('a disabled account is refused on all replicas from the answer on, and served again from the answer that enables it', async () => {
    const { key } = await at(0).newKey()
    const disable = (disabled: boolean) => async (): Promise<void> => {
      const changed = await at(disabled ? 1 : 3).admin('PATCH', '/admin/v1/accounts/default', { disabled })
      expect(changed.json()).to.include({ disabled })
    }
    const callers = await endUnderLoad('disable', key, disable(true))
    await judge('disable', callers, 403)
    await disable(false)()
    for (const replica of replicas) expect((await call(replica, key)).status).to.equal(200)
  })

  for (const collection of ['keys', 'accounts'])
    it(`T-10 a replica whose read of ${collection} meets the end of the key serves no call that begins afterwards`, async () => {
      const late = await site.replica({ mongoProxy: true })
      for (const [what, end] of [
        ['delete', (id: string, key: string) => at(1).send(`/v1/keys/${id}`, { method: 'DELETE', key })],
        ['rotate', (id: string, key: string) => at(1).send(`/v1/keys/${id}/rotate`, { body: { overlap_seconds: 0 }, key })],
      ] as const) {
        const [{ id, key }, owner] = [await at(0).newKey(), await at(0).newKey()]
        expect((await at(1).send('/v1/account', { key: owner.key })).status).to.equal(200)
        const ended: Promise<Reply>[] = []
        // The read was carried out before the key's end, and its answer comes after it.
        const disarm = late.mongo().arm({
          matches: (command) => command.name === 'find' && command.collection === collection,
          fault: (deliver) => void ended.push(end(id, owner.key).finally(deliver)),
        })
        await call(late, key, { headers: { 'x-request-id': `${what}-during` } })
        expect((await Promise.all(ended)).map(({ status }) => status)).to.deep.equal([200])
        expect(disarm()).to.equal(1)
        const after = await call(late, key, { headers: { 'x-request-id': `${what}-after` } })
        expect(after.status, what).to.equal(401)
        expect(await charged()).not.to.include(`${what}-after`)
      }
    })

  it('N-15 what is read for nothing forgets the key within a second on every replica', async () => {
    const { id, key } = await at(0).newKey()
    for (const replica of replicas) expect((await replica.send('/v1/account', { key })).status).to.equal(200)
    expect((await at(1).admin('DELETE', `/admin/v1/accounts/default/keys/${id}`)).status).to.equal(200)
    await site.pass(1_000)
    for (const replica of replicas) expect((await replica.send('/v1/account', { key })).status).to.equal(401)
  })
})
