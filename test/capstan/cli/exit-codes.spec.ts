import { expect } from 'chai'
import { CATALOGUE, type Slug } from '../../../core/problems/catalogue.js'
import type { FaultKind } from '../../../core/sdk/fault.js'
import { Fault } from '../../../core/sdk/index.js'
import { exitCodeOf, EXIT_CODES } from '../../../scripts/capstan/cli/exit-codes.js'
import { cliBench, type CliResult } from '../../support/cli.js'
import { listen, startGateway, type TestGateway } from '../../support/gateway.js'

const KINDS: readonly FaultKind[] = ['invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken']

describe('exit codes of capstan run', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({
      script: {
        'test.echo': [
          {
            vendor: 'one',
            run: ({ text }, { signal }) => {
              const kind = KINDS.find((each) => each === text)
              if (kind !== undefined) return Promise.reject(new Fault(kind, 'Scripted.'))
              if (text === 'away') return Promise.reject(new Fault('blocked', 'The target is away.', { unavailable: true }))
              if (text === 'brief') return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
              return Promise.resolve({ text })
            },
          },
        ],
        'test.send': [{ vendor: 'none', run: () => Promise.resolve(null), state: 'dormant', reason: 'set ACME_API_KEY' }],
      },
    })
  })
  after(async () => await gateway?.close())

  const run = async (words: readonly string[], { key = gateway.key, url = gateway.url } = {}): Promise<CliResult> => {
    const bench = cliBench({ env: { CAPSTAN_URL: url, CAPSTAN_API_KEY: key } })
    const result = await bench.run('run', ...words)
    bench.done()
    return result
  }

  for (const [what, words, code, says] of [
    ['a result', ['test.echo', 'text=hello'], 0, ''],
    ['a field that is wrong', ['test.echo', 'text=hello', 'times:=9'], 2, '(422)'],
    ['a request that the provider finds wrong', ['test.echo', 'text=invalid'], 2, '(422)'],
    ['nothing found', ['test.echo', 'text=missing'], 5, '(422)'],
    ['a target that refuses', ['test.echo', 'text=blocked'], 5, '(422)'],
    ['a target that is away', ['test.echo', 'text=away'], 7, '(502)'],
    ['a provider that is busy', ['test.echo', 'text=busy'], 6, '(502)'],
    ['a provider without quota', ['test.echo', 'text=quota'], 6, '(502)'],
    ['a provider that refuses its key', ['test.echo', 'text=credentials'], 6, '(502)'],
    ['a provider that fails', ['test.echo', 'text=broken'], 6, '(502)'],
    ['a deadline', ['test.echo', 'text=brief'], 6, '(504)'],
    ['a capability without a live provider', ['test.send', 'text=hello'], 6, '(503)'],
  ] as const)
    it(`${what}: ${code}`, async () => {
      // A provider is suspended after a failure: each call is to meet it anew.
      gateway.app.services.suspensions.resume('test.echo/one')
      const result = await run(words)
      expect(result.code, result.err).to.equal(code)
      expect(result.err).to.contain(says)
    })

  it('a key that is wrong, or not allowed to call: 3', async () => {
    expect(await run(['test.echo', 'text=hello'], { key: 'cap_wrong' })).to.include({ code: 3 })
    const { key } = await gateway.newKey({ scopes: ['test.send'] })
    const refused = await run(['test.echo', 'text=hello'], { key })
    expect(refused.code).to.equal(3)
    expect(refused.err).to.contain('(403)')
  })

  it('an account without credits: 4', async () => {
    const { key } = await gateway.newAccount(0)
    const refused = await run(['test.echo', 'text=hello'], { key })
    expect(refused.code).to.equal(4)
    expect(refused.err).to.contain('(402)').and.to.contain('capstan credits grant')
  })

  it('more requests than the key may send: 7', async () => {
    const { key } = await gateway.newKey({ rate_limit_per_minute: 1 })
    await run(['test.echo', 'text=hello'], { key })
    const refused = await run(['test.echo', 'text=hello'], { key })
    expect(refused.code).to.equal(7)
    expect(refused.err).to.contain('(429)')
  })

  it('a gateway that stops: 7, and no gateway: 7', async () => {
    const stopping = await startGateway()
    stopping.app.services.shedder.draining = true
    const refused = await run(['test.echo', 'text=hello'], { key: stopping.key, url: stopping.url })
    await stopping.close()
    expect(refused.code, refused.err).to.equal(7)
    expect(refused.err).to.contain('(503)')
    expect(await run(['test.echo', 'text=hello'], { url: stopping.url })).to.include({ code: 7 })
  })

  it('a server that is no gateway: 1', async () => {
    const other = await listen((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'))
    const refused = await run(['test.echo', 'text=hello'], { url: other.url })
    await other.close()
    expect(refused.code).to.equal(1)
    expect(refused.err).to.contain('is not a gateway')
  })

  it('a command that was used wrongly: 2', async () => {
    expect(await run(['test.echo', 'txt=hello'])).to.include({ code: 2 })
    expect(await run(['test.echo'], { key: '' })).to.include({ code: 2 })
  })

  it('follow from the type of the error, so that every error of the catalogue has one', () => {
    const codes = (Object.keys(CATALOGUE) as Slug[]).map((slug) => {
      const { status, category } = CATALOGUE[slug]
      const error = { type: `http://127.0.0.1/errors/${slug}`, error_category: category }
      return [slug, exitCodeOf({ success: false, error }, status)] as const
    })
    const of = (code: number): string[] => codes.flatMap(([slug, each]) => (each === code ? [slug] : []))
    expect({ 1: of(1), 3: of(3), 4: of(4), 5: of(5), 6: of(6), 7: of(7) }).to.deep.equal({
      1: ['internal'],
      3: ['authentication-required', 'invalid-api-key', 'key-not-allowed'],
      4: ['insufficient-credits'],
      5: ['target-blocked', 'no-result'],
      6: ['providers-failed', 'capability-unavailable', 'deadline-exceeded'],
      7: ['rate-limited', 'too-many-in-flight', 'target-unavailable', 'overloaded', 'store-unavailable'],
    })
    for (const slug of of(2)) expect(CATALOGUE[slug as Slug].category, slug).to.equal('invalid_request')
  })

  it('of an error unknown to this version follow from its category, else from the status', () => {
    const unknown = (category?: string) => ({ error: { type: 'https://example.com/errors/new', error_category: category } })
    expect(exitCodeOf(unknown('transient'), 422)).to.equal(7)
    const byStatus = [400, 401, 402, 403, 422, 429, 500, 502, 503, 504].map((status) => exitCodeOf(unknown(), status))
    expect(byStatus).to.deep.equal([2, 3, 4, 3, 2, 7, 1, 6, 7, 6])
  })

  it('are listed by capstan run --help', async () => {
    const bench = cliBench()
    const { out } = await bench.run('run', '--help')
    bench.done()
    for (const [code, means] of EXIT_CODES) expect(out).to.contain(`  ${code}  ${means}`)
  })
})
