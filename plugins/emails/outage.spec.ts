import { expect } from 'chai'
import type { DnsReply } from '../../core/sdk/testkit/dns-server.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { FindWorld } from '../../test/support/find-world.js'
import type { Reply } from '../../test/support/gateway.js'
import { HandClock } from '../../test/support/outbound.js'
import { expectProblem } from '../../test/support/problem.js'
import { until } from '../../test/support/time.js'

const REFUSED = ['target-unavailable', 'overloaded']
const typeOf = (reply: Reply): string => reply.json().error?.type.split('/').at(-1) ?? 'none'

/** A failure that is free of charge and may be retried. */
function expectToBeTriedAgain(reply: Reply, types: readonly string[]): void {
  expect(types, reply.text).to.include(typeOf(reply))
  expect(reply.json()).to.deep.include({ success: false, credits_used: 0 })
  expect(reply.json().error?.is_retriable, reply.text).to.equal(true)
}

describe('emails: no name server answers', function () {
  this.timeout(60_000)
  let world: FindWorld
  let dns: 'answers' | 'is silent' | 'fails' = 'answers'
  const instead = (): readonly DnsReply[] | DnsReply | undefined =>
    dns === 'answers' ? undefined : dns === 'is silent' ? [] : { rcode: 2 }

  const clock = new HandClock()

  before(async () => {
    world = await FindWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n', names: { instead }, clock })
  })
  after(() => world?.close())

  /** Advances the gateway's time until the work is done. */
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let done = false
    void work.finally(() => (done = true))
    await until(() => {
      clock.advance(10)
      return done
    })
    return await work
  }

  for (const how of ['is silent', 'fails'] as const)
    it(`B2 the name server ${how}: nothing is sold, kept or repeated, and the next call is right`, async () => {
      const domain = how === 'fails' ? 'fails.test' : 'silent.test'
      await world.domain(domain, { mail: { mailboxes: { [`ada.lovelace@${domain}`]: 'exists' } } })
      const calls = [
        ['/v1/emails/find', { first_name: 'Ada', last_name: 'Lovelace', domain }],
        ['/v1/emails/verify', { email: `ada.lovelace@${domain}` }],
      ] as const
      const ask = (): Promise<Reply[]> =>
        Promise.all(
          calls.map(([path, body]) => world.gateway.post(path, body, { 'idempotency-key': `${how} ${path}`.replaceAll(' ', '-') })),
        )
      const { balance } = await world.gateway.money()
      dns = how
      for (const reply of await passing(ask())) expectToBeTriedAgain(reply, REFUSED)
      dns = 'answers'
      expect((await world.gateway.money()).balance).to.equal(balance)
      const [found, verified] = await ask()
      expect(found?.json().data, found?.text).to.include({ email: `ada.lovelace@${domain}`, verification_status: 'valid' })
      expect(verified?.json().data, verified?.text).to.include({ status: 'valid' })
    })

  it('B2 a site that could not be read is read again by the next call, one that has no page is not', async () => {
    const seen: string[] = []
    let status = 503
    await world.domain('site.test', {
      mail: null,
      pages: (request, response) => {
        seen.push(request.url ?? '')
        response.writeHead(status, { 'content-type': 'text/html' }).end('<p>grace.hopper@site.test</p>')
      },
    })
    const ask = (last_name: string) => world.gateway.post('/v1/emails/find', { first_name: 'Ada', last_name, domain: 'site.test' })
    const nothing = expectProblem(await ask('Lovelace'), 'no-result')
    expect(nothing.error?.detail).to.match(/could not be confirmed at the mail server \(failed_smtp_connection\)/)
    expect(nothing.error?.detail).to.match(/closes port 25.*The site of the domain could not be read either: it answered with status 503\./)
    status = 404
    expectProblem(await ask('Lovelace'), 'no-result')
    expectProblem(await ask('Byron'), 'no-result')
    expect(seen).to.deep.equal(['/', '/'])
  })
})

describe('emails.find: vendors out, and a mail server that cannot be asked', function () {
  this.timeout(60_000)
  let world: FindWorld
  let vendor: Running
  let status = 200
  let headers: Record<string, string> = {}

  before(async () => {
    vendor = await httpServer((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}')
    })
    world = await FindWorld.start({
      file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n',
      env: {
        HUNTER_API_KEY: 'k1',
        PROSPEO_API_KEY: 'k2',
        CAPSTAN_VENDOR_HUNTER_URL: vendor.url,
        CAPSTAN_VENDOR_PROSPEO_URL: vendor.url,
      },
    })
    await world.domain('shut.test', { mail: null, pages: { '/': 'nobody' } })
  })
  after(async () => {
    await world?.close()
    await vendor?.close()
  })

  const kinds: readonly (readonly [number, Record<string, string>])[] = [
    [429, { 'retry-after': '60' }],
    [500, {}],
    [402, {}],
    [401, {}],
  ]
  for (const [code, more] of kinds)
    it(`B3 vendors answer ${String(code)}, the port is closed: the failure of the vendors, twice, and not that nobody knows`, async () => {
      ;[status, headers] = [code, more]
      const { balance } = await world.gateway.money()
      for (const _ of [1, 2]) {
        const body = { first_name: 'Ada', last_name: 'Lovelace', domain: 'shut.test' }
        const reply = await world.gateway.post('/v1/emails/find', body, { 'idempotency-key': `k-${String(code)}` })
        expectToBeTriedAgain(reply, ['providers-failed'])
        if (code === 429) expect(Number(reply.headers['retry-after'])).to.be.within(50, 60)
        const tried = reply
          .json()
          .metadata.attempts?.filter(({ port }) => port === 'emails.find')
          .map(({ provider }) => provider)
        expect(tried).to.deep.equal(['hunter', 'prospeo', 'pattern'])
      }
      expect((await world.gateway.money()).balance).to.equal(balance)
    })
})
