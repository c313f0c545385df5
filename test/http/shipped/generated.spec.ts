import { expect } from 'chai'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { seeded } from '../../support/hostile.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { expectHeaders } from '../../support/problem.js'
import { SHIPPED_CALLS } from '../../support/shipped/calls.js'
import { Generator, hostileTexts, insideAddresses, leadingInside, type Generated } from '../../support/shipped/generated.js'
import { ShippedWorld } from '../../support/shipped/world.js'

/** Eight of each capability in the suite of the shipped ones (`npm run test:long`), else three. */
const COUNT = Number(process.env.CAPSTAN_TEST_SHIPPED_FUZZ ?? (process.env.CAPSTAN_TEST_LONG === 'all' ? 208 : 78))
const SEED = Number(process.env.CAPSTAN_TEST_FUZZ_SEED ?? 20260131)
const AT_ONCE = 6
const CREATED = 'net.client.socket'
/** Server errors that are answers: all providers failed, none could be had, a deadline. */
const WANTED = [200, 400, 413, 422, 429, 502, 503, 504]
const REFUSED = [400, 413, 422]

/** Calls that take an address, and the field in which; those that open a browser meet every third one. */
const TAKERS = [
  { path: '/v1/scrape', field: 'url', params: { mode: 'fast' }, each: 1 },
  { path: '/v1/scrape', field: 'url', params: { mode: 'standard', timeout: 5 }, each: 3 },
  { path: '/v1/screenshots/capture', field: 'url', params: {}, each: 3 },
  { path: '/v1/files/convert', field: 'file_url', params: { source_format: 'html', target_format: 'md' }, each: 1 },
  { path: '/v1/invoices/parse', field: 'document_url', params: {}, each: 1 },
  { path: '/v1/documents/extract', field: 'url', params: { extraction_prompt: 'The number.' }, each: 1 },
  { path: '/v1/sites/intel', field: 'domain', params: { mode: 'tech-stack' }, each: 1 },
  { path: '/v1/companies/find', field: 'domain', params: {}, each: 1 },
]

interface Shot extends Generated {
  readonly id: string
  readonly path: string
  /** Whether the input fits the schema by another reader of schemas than the gateway's own. */
  readonly fits: boolean
}

/** Inputs made from each capability's own schema, and hostile ones, to gateways in a world of their own. */
describe(`${COUNT} generated calls of the shipped capabilities`, function () {
  this.timeout(120_000 + COUNT * 2_000)
  let world: ShippedWorld
  let gateway: TestGateway
  let traps: Running[]
  /** Where the way out of the gateway was connected to. */
  const connected = new Set<string>()
  const watch = (message: unknown): void => {
    // Other clients of this process, such as those of databases, are not checked.
    if (new Error('who asks').stack?.includes('/core/outbound/') !== true) return
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => connected.add(`${socket.remoteAddress ?? ''}:${String(socket.remotePort ?? '')}`))
  }
  before(async () => {
    world = await ShippedWorld.start()
    const trap = await tcpServer((socket) => socket.destroy())
    traps = [trap, await tcpServer((socket) => socket.destroy(), '::1', trap.port)]
    subscribe(CREATED, watch)
    gateway = await startGateway(world.options('free'))
    await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 1_000_000, ref: 'for the test' })
  })
  after(async () => {
    unsubscribe(CREATED, watch)
    await gateway?.close()
    await Promise.all([world?.close(), ...traps.map((trap) => trap.close())])
  })

  const shots = (): Shot[] => {
    const generator = new Generator(seeded(SEED), hostileTexts(traps[0]?.port ?? 0, `${world.gate.url}/site`))
    const ajv = new Ajv2020({ strict: false })
    const makers = [...gateway.app.services.registry().capabilities.values()].map(({ capability: { id, path, input, examples } }) => {
      const fits = ajv.compile(input)
      const row = SHIPPED_CALLS[id]
      // Pages that a generated `wait_for` waits for never come.
      const known =
        row === undefined
          ? examples.map(({ params }) => params)
          : [row.gated(world, 0), { ...row.free(world), ...(id === 'scrape' ? { timeout: 5 } : {}) }]
      return (): Shot => {
        const { kind, params } = generator.next(input, known)
        return { kind, params, id, path, fits: fits(params) }
      }
    })
    return Array.from({ length: COUNT }, (_, at) => makers[at % makers.length]?.() ?? expect.fail('no capability'))
  }

  /** What is wrong with an answer. */
  const faults = (checker: OpenApiChecker, { path, kind, fits }: Shot, reply: Reply): string[] => {
    expectHeaders(reply)
    return [
      ...checker.faults('POST', path, reply),
      ...(WANTED.includes(reply.status) ? [] : [`status ${String(reply.status)}: ${reply.text.slice(0, 300)}`]),
      ...(kind === 'nearly' && !fits && !REFUSED.includes(reply.status)
        ? [`${String(reply.status)} for what does not fit the schema`]
        : []),
      ...(reply.status >= 400 && reply.headers['x-credits-used'] !== '0' ? ['a failure that costs'] : []),
    ]
  }

  it('end as described, cost what they say, and open no connection that was not allowed', async () => {
    const checker = await OpenApiChecker.of(gateway)
    const { key } = await gateway.newKey()
    const before = (await gateway.money()).balance
    const [left, complaints, counts]: [Shot[], string[], Record<string, number>] = [shots(), [], {}]
    let spent = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let shot = left.shift(); shot !== undefined; shot = left.shift()) {
          const name = `${shot.path} ${shot.kind} ${JSON.stringify(shot.params).slice(0, 300)}`
          try {
            const reply = await gateway.send(shot.path, { method: 'POST', body: shot.params, key })
            complaints.push(...faults(checker, shot, reply).map((fault) => `${fault} for ${name}`))
            spent += Number(reply.headers['x-credits-used'])
            counts[`${shot.kind} ${String(reply.status)}`] = (counts[`${shot.kind} ${String(reply.status)}`] ?? 0) + 1
          } catch (error) {
            complaints.push(`${String(error)} for ${name}`)
          }
        }
      }),
    )
    console.log(`      seed ${String(SEED)}: ${JSON.stringify(counts)}; ${String(checker.seen.size)} kinds of answers held against OpenAPI`)
    expect(complaints.slice(0, 10)).to.deep.equal([])
    expect(Object.keys(Object.prototype)).to.deep.equal([])
    const after = await gateway.money()
    expect(after.held).to.equal(0)
    expect(Math.round((before - after.balance) * 1000)).to.equal(Math.round(spent * 1000))
    expect(counts['fitting 200'] ?? 0).to.be.above(COUNT / 13)
    expect((await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ problems: string[] }>().problems).to.deep.equal([])
  })

  it('every way inside is refused or left out by everything that takes an address, for nothing', async () => {
    const { key } = await gateway.newKey()
    const trap = traps[0]?.port ?? 0
    const before = (await gateway.money()).balance
    const inside = insideAddresses(trap)
    const led = leadingInside(trap, `${world.gate.url}/site`)
    const left = TAKERS.flatMap((taker, at) => [
      ...inside.filter((_, place) => (place + at) % taker.each === 0).map((address) => ({ ...taker, address, leads: false })),
      ...led.map((address) => ({ ...taker, address, leads: true })),
    ])
    const [taken, statuses]: [string[], Record<number, number>] = [[], {}]
    let spent = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let one = left.shift(); one !== undefined; one = left.shift()) {
          const { path, field, params, address, leads } = one
          const reply = await gateway.send(path, { method: 'POST', body: { ...params, [field]: address }, key })
          spent += Number(reply.headers['x-credits-used'])
          statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
          // A page that names something inside is a page still.
          if ((reply.status < 400 && !leads) || !WANTED.includes(reply.status))
            taken.push(`${path} ${address}: ${reply.text.slice(0, 200)}`)
        }
      }),
    )
    console.log(`      ${JSON.stringify(statuses)}`)
    expect(taken).to.deep.equal([])
    expect(Math.round((before - (await gateway.money()).balance) * 1000)).to.equal(Math.round(spent * 1000))
  })

  it('nothing of them reached a port of this machine that was not allowed', () => {
    expect(traps.map((trap) => trap.connections())).to.deep.equal([0, 0])
    const own = [world.gate, world.mail, world.names].map(({ port }) => `127.0.0.1:${String(port)}`)
    expect(connected).to.include(own[0])
    expect([...connected].filter((place) => !own.includes(place))).to.deep.equal([])
  })
})
