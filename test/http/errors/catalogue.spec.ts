import { expect } from 'chai'
import sinon from 'sinon'
import { CATALOGUE, type Category, type Slug } from '../../../core/problems/catalogue.js'
import { StoreUnavailable } from '../../../core/store/types.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

const ECHO = '/v1/test/echo'

describe('the problem catalogue over HTTP', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let key: string
  let poor: string
  before(async () => {
    const script = {
      'test.echo': [stage.vendor('one')],
      'test.send': [stage.vendor('asleep', { state: 'dormant' as const, reason: 'set ASLEEP_API_KEY' })],
    }
    gateway = await startGateway({ script, env: { CAPSTAN_LIMIT_KEY_CONCURRENCY: '1', CAPSTAN_LIMIT_ANSWER: '4000' } })
    key = (await gateway.newKey()).key
    poor = (await gateway.newAccount(0)).key
  })
  after(async () => await gateway.close())
  afterEach(() => sinon.restore())

  interface Sent {
    readonly path?: string
    readonly method?: string
    readonly body?: unknown
    readonly key?: string | null
    readonly headers?: Record<string, string>
  }
  const request = (sent: Sent, accept: Record<string, string>): Promise<Reply> =>
    gateway.send(sent.path ?? ECHO, {
      key: sent.key === undefined ? key : sent.key,
      ...(sent.method === undefined ? {} : { method: sent.method }),
      ...('body' in sent ? { body: sent.body } : {}),
      headers: { ...sent.headers, ...accept },
    })
  const says = (text: string): Sent => ({ body: { text } })

  /** Runs a request while a call of the same key waits. */
  const whileWaiting = async (first: Sent, second: Sent, accept: Record<string, string>): Promise<Reply> => {
    const running = request({ body: { text: 'wait' }, ...first }, {})
    await stage.until(() => stage.waiting === 1)
    const reply = await request(second, accept)
    stage.release()
    expect((await running).status).to.equal(200)
    return reply
  }

  /** One way to each problem; the type makes a new one without a way an error. */
  const ways: Record<Slug, (accept: Record<string, string>) => Promise<Reply>> = {
    'malformed-request': (accept) => request({ body: '{' }, accept),
    'authentication-required': (accept) => request({ ...says('hi'), key: null }, accept),
    'invalid-api-key': (accept) => request({ ...says('hi'), key: `${key.slice(0, -1)}~` }, accept),
    'insufficient-credits': (accept) => request({ ...says('hi'), key: poor }, accept),
    'key-not-allowed': async (accept) => request({ ...says('hi'), key: (await gateway.newKey({ scopes: ['manage'] })).key }, accept),
    'not-found': (accept) => request({ path: '/v1/nothing' }, accept),
    'method-not-allowed': (accept) => request({ method: 'GET' }, accept),
    'idempotency-conflict': async (accept) => {
      const other = (await gateway.newKey()).key
      const headers = { 'idempotency-key': `same ${other}` }
      return await whileWaiting({ headers }, { body: { text: 'wait' }, key: other, headers }, accept)
    },
    conflict: async (accept) => {
      const path = '/admin/v1/accounts/default/grants'
      await gateway.admin('POST', path, { amount: 1, ref: 'r1' })
      return await request({ path, body: { amount: 2, ref: 'r1' }, key: gateway.adminToken }, accept)
    },
    'payload-too-large': (accept) => request({ body: { text: 'x'.repeat(1024 * 1024) } }, accept),
    'unsupported-media-type': (accept) => request({ ...says('hi'), headers: { 'content-type': 'text/plain' } }, accept),
    'validation-failed': (accept) => request({ body: {} }, accept),
    'target-blocked': (accept) => request(says('blocked'), accept),
    'target-unavailable': (accept) => request(says('unavailable'), accept),
    'answer-too-large': (accept) => request(says('huge'), accept),
    'no-result': (accept) => request(says('missing'), accept),
    'rate-limited': async (accept) => {
      const { key: slow } = await gateway.newKey({ rate_limit_per_minute: 1 })
      await request({ path: '/v1/account', key: slow }, {})
      return await request({ path: '/v1/account', key: slow }, accept)
    },
    'too-many-in-flight': (accept) => whileWaiting({}, says('hi'), accept),
    internal: (accept) => {
      sinon.stub(gateway.app.services.store.accounts, 'get').rejects(new TypeError('a canary-internal detail'))
      return request({ path: '/v1/account' }, accept)
    },
    'providers-failed': (accept) => request(says('broken'), accept),
    'capability-unavailable': (accept) => request({ path: '/v1/test/send', body: { text: 'hi' } }, accept),
    overloaded: async (accept) => {
      gateway.app.services.shedder.draining = true
      const reply = await request(says('hi'), accept)
      gateway.app.services.shedder.draining = false
      return reply
    },
    'store-unavailable': (accept) => {
      sinon.stub(gateway.app.services.store.ledger, 'hold').rejects(new StoreUnavailable('canary-internal: gone'))
      return request(says('hi'), accept)
    },
    'deadline-exceeded': (accept) => request(says('brief'), accept),
  }

  it('has a way to every entry, and no way to what is none', () => {
    expect(Object.keys(ways).sort()).to.deep.equal(Object.keys(CATALOGUE).sort())
    expect(Object.keys(ways)).to.have.length(24)
  })

  for (const [slug, way] of Object.entries(ways) as [Slug, (typeof ways)[Slug]][]) {
    describe(slug, () => {
      it('answers the envelope with its status, category, headers and no charge', async () => {
        const before = await gateway.money()
        const reply = await way({})
        const envelope = expectProblem(reply, slug, slug === 'idempotency-conflict' ? { retriable: true } : {})
        expect(reply.text).not.to.match(/canary-internal|\.[jt]s:\d+|node_modules/)
        if (reply.headers['x-credits-balance'] !== undefined)
          expect(envelope.metadata.credits_balance).to.equal(Number(reply.headers['x-credits-balance']))
        const after = await gateway.money()
        expect(after.held).to.equal(0)
        // Conflicts are met beside a call that does succeed, and the grant of the conflict is one credit.
        expect(Math.abs(after.balance - before.balance)).to.be.at.most(
          ['idempotency-conflict', 'conflict', 'too-many-in-flight'].includes(slug) ? 1 : 0,
        )
      })

      it('answers the error object itself to who accepts application/problem+json', async () => {
        const reply = await way({ accept: 'application/problem+json' })
        const kind: { status: number; category: Category; title: string } = CATALOGUE[slug]
        expect(reply.status).to.equal(kind.status)
        expectHeaders(reply)
        expect(reply.headers['content-type']).to.equal('application/problem+json; charset=utf-8')
        const body = reply.json<Record<string, unknown>>()
        expect(body).to.include({
          title: kind.title,
          status: kind.status,
          error_category: kind.category,
          credits_used: 0,
          request_id: reply.headers['x-request-id'],
        })
        expect(reply.headers['retry-after']).to.equal((body.retry_after_seconds as number | undefined)?.toString())
        expect(String(body.type)).to.equal(`${gateway.url}/errors/${slug}`)
      })

      it('has a page at the address of its type', async () => {
        const reply = await gateway.send(`/errors/${slug}`, { key: null })
        expect(reply.status).to.equal(200)
        expectHeaders(reply)
        expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8')
        for (const text of [slug, String(CATALOGUE[slug].status), CATALOGUE[slug].category]) expect(reply.text).to.contain(text)
      })
    })
  }

  it('lists all of them at /errors, and answers 404 for a page of none', async () => {
    const list = await gateway.send('/errors', { key: null })
    for (const slug of Object.keys(CATALOGUE)) expect(list.text).to.contain(`/errors/${slug}`)
    for (const none of ['nothing', '__proto__', 'constructor', 'x'.repeat(61)])
      expect((await gateway.send(`/errors/${none}`, { key: null })).status, none).to.be.oneOf([404, 422])
  })

  it('the spec categories have their usual meaning', () => {
    const category = (slug: Slug): Category => CATALOGUE[slug].category
    expect(category('rate-limited')).to.equal('transient')
    expect(category('insufficient-credits')).to.equal('insufficient_credits')
    expect(category('target-blocked')).to.equal('target_blocked')
  })
})
