import { expect } from 'chai'
import { startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { HandClock } from '../support/outbound.js'
import { expectProblem } from '../support/problem.js'
import { Stage } from '../support/stage.js'
import { until } from '../support/time.js'

const ECHO = '/v1/test/echo'
const SEND = '/v1/test/send'

describe('an Idempotency-Key', () => {
  const stage = new Stage()
  const clock = new HandClock()
  let gateway: TestGateway
  let key: string
  before(async () => {
    clock.advance(1_000)
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')], 'test.send': [stage.vendor('post')] },
      env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '100' },
      overrides: { clock },
    })
    key = (await gateway.newKey()).key
  })
  after(async () => await gateway.close())
  afterEach(() => {
    for (const id of ['test.echo/one', 'test.send/post']) gateway.app.services.suspensions.resume(id)
  })
  const call = (name: string, body: unknown, path = ECHO, as = key): Promise<Reply> =>
    gateway.send(path, { body, key: as, headers: { 'idempotency-key': name } })
  const spent = async (work: () => Promise<unknown>): Promise<number> => {
    const { balance } = await gateway.money()
    await work()
    return balance - (await gateway.money()).balance
  }

  it('replays a success byte for byte, charges once and says so', async () => {
    const replies: Reply[] = []
    const cost = await spent(async () => {
      for (let round = 0; round < 3; round++) replies.push(await call('a', { text: 'hi', mode: 'loud' }))
    })
    const [first, second, third] = replies
    expect(cost).to.equal(2)
    expect(first?.headers).not.to.have.property('idempotent-replayed')
    for (const replay of [second, third]) {
      expect(replay?.text).to.equal(first?.text)
      expect(replay?.headers).to.include({ 'idempotent-replayed': 'true', 'x-credits-used': '2' })
    }
    expect(stage.texts.filter((entry) => entry === 'one:hi')).to.have.length(1)
  })

  it('takes the same body with its keys in another order, and defaults left out or not as different', async () => {
    await call('order', { text: 'order', mode: 'plain' })
    expect((await call('order', { mode: 'plain', text: 'order' })).headers['idempotent-replayed']).to.equal('true')
    expect((await call('order', { text: 'order' })).status).to.equal(422)
  })

  it('B3 keeps no 422 of providers that could not check: a repeat calls them again', async () => {
    const first = await call('blind', { text: 'blind' })
    expectProblem(first, 'no-result')
    const { length } = stage.texts
    const again = await call('blind', { text: 'blind' })
    expectProblem(again, 'no-result')
    expect(again.headers).not.to.have.property('idempotent-replayed')
    expect(stage.texts.length).to.equal(length + 1)
  })

  it('T-65 with another body is 422 at the header, with nothing charged', async () => {
    await call('b', { text: 'one' })
    const cost = await spent(async () => {
      const envelope = expectProblem(await call('b', { text: 'two' }), 'validation-failed')
      expect(envelope.detail?.[0]?.loc).to.deep.equal(['header', 'idempotency-key'])
    })
    expect(cost).to.equal(0)
  })

  it('T-65 of another account is another key', async () => {
    await call('c', { text: 'mine' })
    const other = await gateway.newAccount(5)
    const reply = await call('c', { text: 'theirs' }, ECHO, other.key)
    expect(reply.json().data).to.deep.equal({ text: 'theirs' })
    expect(reply.headers).not.to.have.property('idempotent-replayed')
  })

  it('of another key of the same account is the same key', async () => {
    await call('shared', { text: 'shared' })
    const other = await gateway.newKey()
    expect((await call('shared', { text: 'shared' }, ECHO, other.key)).headers['idempotent-replayed']).to.equal('true')
  })

  it('while the call runs is 409 with Retry-After, and the call goes on', async () => {
    const running = call('d', { text: 'wait' })
    await stage.until(() => stage.waiting === 1)
    expectProblem(await call('d', { text: 'wait' }), 'idempotency-conflict', { retriable: true })
    stage.release()
    expect((await running).status).to.equal(200)
    expect((await call('d', { text: 'wait' })).text).to.equal((await running).text)
  })

  it('F-34 of a call that runs stays its own when the clock is set forward by three hours, or back by a day', async () => {
    for (const ms of [3 * 3_600_000, -24 * 3_600_000]) {
      const name = `jump ${ms}`
      const before = stage.texts.length
      const running = call(name, { text: 'wait' })
      await stage.until(() => stage.waiting === 1)
      clock.jump(ms)
      try {
        expectProblem(await call(name, { text: 'wait' }), 'idempotency-conflict', { retriable: true })
        expectProblem(await call(name, { text: 'other' }), 'validation-failed')
        stage.release()
        expect((await running).status).to.equal(200)
        expect((await call(name, { text: 'wait' })).headers['idempotent-replayed']).to.equal('true')
        expect(stage.texts.length - before, 'it was carried out once').to.equal(1)
      } finally {
        clock.jump(-ms)
      }
    }
  })

  it('T-62 of fifty calls at once is one execution and one charge', async () => {
    const seen = stage.texts.length
    const replies: Reply[] = []
    const cost = await spent(async () => {
      const all = Array.from({ length: 50 }, () => call('e', { text: 'wait for fifty' }))
      await stage.until(() => stage.waiting === 1)
      const done = Promise.all(all.map(async (reply) => replies.push(await reply)))
      await until(() => replies.length >= 49)
      stage.release()
      await done
    })
    expect(stage.texts.length - seen).to.equal(1)
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
    expect(replies.filter(({ status }) => status === 409)).to.have.length(49)
    expect(cost).to.equal(1)
  })

  for (const text of ['broken', 'busy', 'brief']) {
    it(`is free again after a failure (${text})`, async () => {
      const seen = stage.texts.length
      if (text === 'brief') {
        for (let round = 0; round < 2; round++) {
          const running = call(`f ${text}`, { text })
          await stage.until(() => stage.waiting === 1)
          clock.advance(81)
          expect((await running).status).to.equal(504)
        }
      } else for (let round = 0; round < 2; round++) expect((await call(`f ${text}`, { text })).status).to.equal(502)
      expect(stage.texts.length - seen).to.equal(2)
    })
  }

  for (const text of ['missing', 'blocked', 'invalid']) {
    it(`keeps a 422 that came out of the work (${text}) and replays it, free`, async () => {
      const seen = stage.texts.length
      const cost = await spent(async () => {
        const first = await call(`g ${text}`, { text })
        const second = await call(`g ${text}`, { text })
        expect(second.status).to.equal(422)
        expect(second.text).to.equal(first.text)
        expect(second.headers).to.include({ 'idempotent-replayed': 'true', 'x-credits-used': '0' })
      })
      expect(stage.texts.length - seen).to.equal(1)
      expect(cost).to.equal(0)
    })
  }

  it('is left free by a validation error and by 402', async () => {
    expect((await call('h', {})).status).to.equal(422)
    expect((await call('h', { text: 'fine' })).status).to.equal(200)
    const { id, key: poor } = await gateway.newAccount(0)
    expectProblem(await call('i', { text: 'poor' }, ECHO, poor), 'insufficient-credits')
    await gateway.admin('POST', `/admin/v1/accounts/${id}/grants`, { amount: 1, ref: 'more' })
    expect((await call('i', { text: 'poor' }, ECHO, poor)).status).to.equal(200)
  })

  it('that is empty, too long or not printable is 400', async () => {
    for (const bad of ['x'.repeat(256), 'caf\u00e9', '']) expectProblem(await call(bad, { text: 'hi' }), 'malformed-request')
    expect((await call('x'.repeat(255), { text: 'hi' })).status).to.equal(200)
  })

  it('of a call that acts once and whose outcome is unknown is closed: 409, never sent again', async () => {
    const seen = stage.texts.length
    expect((await call('j', { text: 'unsure' }, SEND)).status).to.equal(502)
    expectProblem(await call('j', { text: 'unsure' }, SEND), 'idempotency-conflict')
    expect(stage.texts.length - seen).to.equal(1)
  })

  it('of a call that acts once and ran into its deadline after the request left is closed as well', async () => {
    const seen = stage.texts.length
    const running = call('k', { text: 'brief' }, SEND)
    await stage.until(() => stage.waiting === 1)
    clock.advance(81)
    expectProblem(await running, 'deadline-exceeded', { retriable: false })
    expectProblem(await call('k', { text: 'brief' }, SEND), 'idempotency-conflict')
    expect(stage.texts.length - seen).to.equal(1)
  })

  it('of a call that acts once and was clearly refused is free again', async () => {
    const seen = stage.texts.length
    for (let round = 0; round < 2; round++) expect((await call('l', { text: 'quota' }, SEND)).status).to.equal(502)
    expect(stage.texts.length - seen).to.be.at.least(1)
  })

  it('of another path is another request', async () => {
    await call('m', { text: 'hi' })
    expect((await call('m', { text: 'hi' }, SEND)).status).to.equal(422)
  })

  it('whose gateway died is taken over after its lock, and the old hold is released', async () => {
    const { store } = gateway.app.services
    const { idempotencyFor } = {
      idempotencyFor: (hold: string) => ({
        account: 'default',
        owner: 'dead',
        hold,
        once: false,
        now: clock.now(),
        expires: clock.now() + 86_400_000,
      }),
    }
    const { createHash } = await import('node:crypto')
    const { fingerprint } = await import('../../core/calls/idempotency/fingerprint.js')
    const hashed = createHash('sha256').update('taken').digest('hex')
    const print = fingerprint('POST', ECHO, { text: 'taken' })
    const found = await store.keys.find(createHash('sha256').update(key).digest('hex'))
    await store.idempotency.claim({
      ...idempotencyFor('hold-of-the-dead'),
      key: hashed,
      fingerprint: print,
      lockUntil: clock.now() + 1_000,
    })
    await store.ledger.hold({
      account: 'default',
      hold: 'hold-of-the-dead',
      amount: 1000,
      deadline: clock.now() + 60_000,
      owner: 'dead',
      auth: found?.account.auth ?? 0,
      key: found?.key.id ?? '',
      capped: false,
      capability: 'test.echo',
      maxOpen: 64,
      now: clock.now(),
    })
    expectProblem(await call('taken', { text: 'taken' }), 'idempotency-conflict', { retriable: true })
    clock.advance(1_001)
    const cost = await spent(async () => expect((await call('taken', { text: 'taken' })).status).to.equal(200))
    expect(cost).to.equal(1)
    expect((await gateway.money()).held).to.equal(0)
  })

  it('and the ledger holds together afterwards', async () => {
    expect((await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ problems: string[] }>().problems).to.deep.equal([])
  })
})

describe('an Idempotency-Key of an account whose kept answers take its whole quota', () => {
  it('is refused before the work and costs nothing; answers already kept, and calls without a key, go on', async () => {
    const stage = new Stage()
    const gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one')] },
      env: { CAPSTAN_ARTIFACTS_QUOTA: '300' },
    })
    try {
      const { key } = await gateway.newKey()
      const call = (name: string): Promise<Reply> => gateway.send(ECHO, { body: { text: name }, key, headers: { 'idempotency-key': name } })
      expect((await call('first')).status).to.equal(200)
      const refused = expectProblem(await call('second'), 'overloaded')
      expect(refused.error?.detail).to.match(
        /quota of 0\.00 GiB \(artifacts_quota\), and the answer to a call with an Idempotency-Key is kept/,
      )
      expect((await call('first')).headers['idempotent-replayed']).to.equal('true')
      expect((await gateway.send(ECHO, { body: { text: 'second' }, key })).status).to.equal(200)
      expect(stage.texts).to.deep.equal(['one:first', 'one:second'])
      expect((await gateway.money()).held).to.equal(0)
    } finally {
      await gateway.close()
    }
  })
})
