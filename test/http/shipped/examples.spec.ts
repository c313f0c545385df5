import { expect } from 'chai'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import type { DnsServer } from '../../../core/sdk/testkit/dns-server.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { seeded } from '../../support/hostile.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { skip } from '../../support/needs.js'

const SEED = 20261125
/** Statuses of a call whose input was taken: an answer, nothing found, or a provider that cannot be had on a machine without network. */
const TAKEN = [200, 422, 429, 502, 503, 504]
const REFUSED = [400, 413, 415, 422]
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e21,
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(20_000),
  [],
  {},
  [[]],
  { $gt: '' },
  ['x', 1],
  '../../etc/passwd',
]
const RAW = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"__proto__":{"admin":true}}',
  `${'['.repeat(2_000)}1${']'.repeat(2_000)}`,
  '{"a":1e400}',
  '\u00ff\u00fe{}',
]

type Params = Readonly<Record<string, unknown>>

/**
 * Every capability as it is shipped, over HTTP: its route, schema, rules, handler and workers, with no vendor that has credentials and no name
 * server that resolves any name, so that nothing leaves the machine.
 */
describe('the shipped capabilities', function () {
  this.timeout(300_000)
  let names: DnsServer
  let page: Running
  let gateway: TestGateway
  let checker: OpenApiChecker
  before(async () => {
    names = await zoneServer({})
    page = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title><main><h1>Page</h1><p>Words of a page.</p></main>')
    })
    const file = `net:\n  dns: ${names.address}\noutbound:\n  allow_private: ['127.0.0.1']\n`
    const env = { CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000', CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000' }
    gateway = await startGateway({ bundled: true, file, env })
    checker = await OpenApiChecker.of(gateway)
    await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
  })
  after(async () => {
    await gateway?.close()
    await Promise.all([names?.close(), page?.close()])
  })

  const capabilities = () => [...gateway.app.services.registry().capabilities.values()]

  /** What is wrong with an answer, beside its status. */
  const faults = (path: string, reply: Reply): string[] => {
    expectHeaders(reply)
    return checker.faults('POST', path, reply)
  }

  /** Sends inputs one after another and holds each answer against the description and the money. */
  const judged = async (
    of: (examples: readonly Params[], random: () => number) => readonly (Params | string)[],
    wanted: readonly number[],
  ) => {
    const random = seeded(SEED)
    const { key } = await gateway.newKey()
    const complaints: string[] = []
    const counts: Record<number, number> = {}
    let spent = 0
    const before = (await gateway.money()).balance
    await Promise.all(
      capabilities().map(async ({ capability: { path, examples } }) => {
        for (const body of of(
          examples.map(({ params }) => params),
          random,
        )) {
          const reply = await gateway.send(path, { method: 'POST', body, key, headers: { 'content-type': 'application/json' } })
          const name = `${path} ${JSON.stringify(body).slice(0, 200)}`
          counts[reply.status] = (counts[reply.status] ?? 0) + 1
          spent += Number(reply.headers['x-credits-used'] ?? 0)
          if (!wanted.includes(reply.status)) complaints.push(`${reply.status} for ${name}: ${reply.text.slice(0, 300)}`)
          if (reply.status >= 400 && reply.headers['x-credits-used'] !== '0') complaints.push(`paid for a failure: ${name}`)
          complaints.push(...faults(path, reply).map((fault) => `${fault} for ${name}`))
        }
      }),
    )
    const after = await gateway.money()
    expect(complaints.slice(0, 10)).to.deep.equal([])
    expect(after.held).to.equal(0)
    expect(Math.round((before - after.balance) * 1000)).to.equal(Math.round(spent * 1000))
    return counts
  }

  it('take their own examples: an answer as described, or a failure that costs nothing', async () => {
    const counts = await judged((examples) => examples, TAKEN)
    console.log(`      ${JSON.stringify(counts)}`)
    expect(counts[200] ?? 0).to.be.at.least(1)
  })

  it('refuse what is nearly their own examples, or take it', async () => {
    const nearly = (examples: readonly Params[], random: () => number): Params[] => {
      const [example = {}] = examples
      const fields = Object.keys(example)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const changed = Array.from({ length: 6 }, () => ({ ...example, [pick(fields)]: pick(ODD) }))
      const without = fields.map((field) => Object.fromEntries(Object.entries(example).filter(([name]) => name !== field)))
      return [...changed, ...without.slice(0, 2), { ...example, unknown_field: 1 }, { ...example, [pick(fields).toUpperCase()]: 1 }]
    }
    const counts = await judged(nearly, [...TAKEN, ...REFUSED])
    console.log(`      ${JSON.stringify(counts)}`)
    expect(counts[422] ?? 0).to.be.at.least(2 * capabilities().length)
  })

  it('refuse bodies that are none, and names what is unknown', async () => {
    const counts = await judged(() => [...RAW, { unknown_field: 1 }, { constructor: 1 }], REFUSED)
    console.log(`      ${JSON.stringify(counts)}`)
    for (const { capability } of capabilities()) {
      const reply = await gateway.post(capability.path, { ...(capability.examples[0]?.params as Params), unknown_field: 1 })
      const { error } = expectProblem(reply, 'validation-failed')
      expect(error?.detail, capability.path).to.contain('unknown_field')
    }
  })

  it('code.execute and scrape answer over HTTP with what their providers made, and cost their price', async function () {
    if (
      gateway.app.services
        .registry()
        .ports.get('code.execute')
        ?.providers.every(({ state }) => state !== 'live') === true
    )
      skip(this, 'no sandbox for programs is installed')
    const before = (await gateway.money()).balance
    const ran = await gateway.post('/v1/code/execute', { code: 'print(6 * 7)', language: 'python' })
    expect(ran.json().data, ran.text).to.deep.include({ stdout: '42\n', exit_code: 0 })
    const read = await gateway.post('/v1/scrape', { url: `${page.url}/`, mode: 'fast' })
    expect(JSON.stringify(read.json().data), read.text).to.contain('Words of a page.')
    const spent = [ran, read].reduce((sum, reply) => sum + Number(reply.headers['x-credits-used']), 0)
    expect(before - (await gateway.money()).balance).to.equal(spent)
    expect(spent).to.be.above(0)
  })

  it('leave books that agree', async () => {
    expect((await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ problems: string[] }>().problems).to.deep.equal([])
  })
})
