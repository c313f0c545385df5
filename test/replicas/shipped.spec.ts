import { expect } from 'chai'
import { send, type Reply } from '../support/gateway.js'
import { eventually, Site, type Replica } from '../support/replicas.js'
import { SHIPPED_CALLS, type Params } from '../support/shipped/calls.js'
import { ShippedWorld } from '../support/shipped/world.js'

/** Each capability as it is shipped, on two gateways that share a database, Redis and an object store. */
describe('the shipped capabilities over two replicas', function () {
  this.timeout(60_000)
  const site = new Site({ s3: true })
  let world: ShippedWorld
  let one: Replica
  let two: Replica
  let number = 0
  before(async function () {
    await site.open(this)
    await site.empty()
    world = await ShippedWorld.start()
    const [first, second] = await site.start(2, world.options('gated'))
    one = first ?? expect.fail('no replica')
    two = second ?? expect.fail('no replica')
    await one.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
  })
  after(async () => {
    world?.gate.be('answers')
    await site.end()
    await site.close()
    await world?.close()
  })
  afterEach(() => world.gate.be('answers'))

  const requests = (): number => world.gate.requests.length
  const pathOf = (id: string): string =>
    one.app.services.registry().capabilities.get(id)?.capability.path ?? expect.fail(`${id} is not loaded`)
  const question = (id: string): Params => SHIPPED_CALLS[id]?.gated(world, ++number) ?? expect.fail(`${id} is not in the table`)
  const call = (replica: Replica, key: string, { id, body = question(id), headers = {} }: SentCall): Promise<Reply> =>
    replica.send(pathOf(id), { method: 'POST', body, key, headers })
  /** The same link at another replica: behind one public address any of them answers. */
  const through = (replica: Replica, link: string): string => replica.url + link.slice(new URL(link).origin.length)

  it('the capabilities of the table are loaded', () => {
    expect([...one.app.services.registry().capabilities.keys()]).to.include.members(Object.keys(SHIPPED_CALLS))
  })

  for (const id of Object.keys(SHIPPED_CALLS))
    describe(id, () => {
      it('one Idempotency-Key sent to both at once is carried out once, charged once, and answered by both', async () => {
        const { id: account, key } = await one.newAccount(100)
        // What is kept of other calls is there on both.
        const [first] = [await call(one, key, { id }), await call(two, key, { id })]
        const credits = Number(first.headers['x-credits-used'])
        const [body, headers] = [question(id), { 'idempotency-key': 'both' }]
        const [balance, before] = [(await one.money(account)).balance, requests()]
        world.gate.be('waits')
        const replies: Reply[] = []
        const both = Promise.all(
          [one, two].map(async (replica) => {
            const reply = await call(replica, key, { id, body, headers })
            replies.push(reply)
          }),
        )
        await eventually(() => replies.length === 1 && world.gate.waiting > 0, 'the refusal of one and the work of the other')
        expect(replies.map(({ status }) => status)).to.deep.equal([409])
        world.gate.be('answers')
        await both
        const [, answer] = replies
        expect(answer?.status, answer?.text).to.equal(200)
        const after = requests()
        for (const replica of [one, two]) {
          const replay = await call(replica, key, { id, body, headers })
          expect([replay.text, replay.headers['idempotent-replayed']]).to.deep.equal([answer?.text, 'true'])
        }
        expect(requests(), 'replays call no vendor').to.equal(after)
        const alone = after - before
        await call(two, key, { id })
        expect(requests() - after, 'as many requests as of one call').to.equal(alone)
        expect(await one.money(account)).to.deep.include({ balance: balance - 2 * credits, held: 0 })
      })

      it('the limit of a key is counted over both', async () => {
        const { key } = await one.newKey({ rate_limit_per_minute: 2 })
        const replies = [await call(one, key, { id }), await call(two, key, { id })]
        expect(replies.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).to.deep.equal([
          [200, '1'],
          [200, '0'],
        ])
        const before = requests()
        for (const replica of [one, two]) expect((await call(replica, key, { id })).status).to.equal(429)
        expect(requests()).to.equal(before)
      })

      it('a key revoked at one is refused by the other at once, and calls no vendor', async () => {
        const { id: name, key } = await one.newKey()
        expect((await call(two, key, { id })).status).to.equal(200)
        expect((await one.admin('DELETE', `/admin/v1/accounts/default/keys/${name}`)).status).to.equal(200)
        const [before, { balance }] = [requests(), await one.money()]
        expect((await call(two, key, { id })).status).to.equal(401)
        expect([requests(), (await one.money()).balance]).to.deep.equal([before, balance])
      })
    })

  it('a file converted at one is downloaded at the other', async () => {
    const { key } = await one.newKey()
    const { data } = (await call(one, key, { id: 'files.convert' })).json<{ data: { file_url: string; file_size: number } }>()
    const [own, other] = await Promise.all([one, two].map((replica) => send(through(replica, data.file_url))))
    expect([own?.status, other?.status, Number(other?.headers['content-length'])]).to.deep.equal([200, 200, data.file_size])
    expect(other?.text).to.equal(own?.text)
  })

  it('what one keeps of a vendor answers at the other: a verified address, prices of registrars', async () => {
    const { key } = await one.newKey()
    for (const [id, body] of [
      ['emails.verify', { email: 'first.last.kept@example.com' }],
      ['domains', { mode: 'pricing', tlds: ['com', 'io'] }],
    ] as const) {
      const first = await call(one, key, { id, body })
      expect(first.status, first.text).to.equal(200)
      const before = requests()
      const second = await call(two, key, { id, body })
      expect(second.json<{ data: unknown }>().data).to.deep.equal(first.json<{ data: unknown }>().data)
      expect(requests(), `${id} is called once for both`).to.equal(before)
      expect(second.headers['x-credits-used'], 'what is kept costs the same').to.equal(first.headers['x-credits-used'])
    }
  })
})

interface SentCall {
  readonly id: string
  readonly body?: Params
  readonly headers?: Record<string, string>
}

describe('the daily cap of a vendor over two replicas', function () {
  this.timeout(60_000)
  const site = new Site()
  let world: ShippedWorld
  before(async function () {
    await site.open(this)
    await site.empty()
    world = await ShippedWorld.start()
  })
  after(async () => {
    await site.end()
    await site.close()
    await world?.close()
  })

  it('mailboxes that an account has requested from one are counted at the other, whichever of its keys is used', async () => {
    const options = world.options('free')
    const env = { ...options.env, CAPSTAN_EMAILS_PROBES_PER_ACCOUNT_PER_DAY: '2' }
    const [one, two] = await site.start(2, { ...options, env })
    if (one === undefined || two === undefined) throw new Error('no replica')
    const [{ key }, { key: other }] = [await one.newKey(), await one.newKey()]
    const verify = async (replica: Replica, as: string, n: number): Promise<Reply> =>
      await replica.send('/v1/emails/verify', { body: { email: `nobody${String(n)}@example.com` }, key: as })
    const turns: [Replica, string][] = [
      [one, key],
      [two, key],
      [one, key],
      [two, key],
      [two, other],
    ]
    const replies: Reply[] = []
    for (const [replica, as] of turns) replies.push(await verify(replica, as, replies.length))
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 429, 429, 429])
    const [, , refused] = replies
    expect(refused?.json().error?.detail).to.match(
      /^The cap of 2 mailbox probes a day \(UTC\) for this account .* leaves 0, and 1 is needed/,
    )
    expect(refused?.headers['x-credits-used']).to.equal('0')
    expect((await one.money()).held).to.equal(0)
    const lists = world.gate.requests.filter(({ path }) => path.endsWith('/dns.json'))
    expect(lists, 'the list of registries, read for the age of the domain').to.have.length(1)
  })
})
