import { expect } from 'chai'
import { Agent, request } from 'node:http'
import { startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { seeded, shot, type Shot } from '../support/hostile.js'
import { OpenApiChecker } from '../support/openapi.js'
import { expectHeaders } from '../support/problem.js'
import { Stage } from '../support/stage.js'

const COUNT = Number(process.env.CAPSTAN_TEST_FUZZ ?? 2_000)
const SEED = Number(process.env.CAPSTAN_TEST_FUZZ_SEED ?? 20260131)
const AT_ONCE = 32
const LONGEST_MS = 5_000
/** Server errors that are answers: all providers failed, no provider, a full queue, a deadline. */
const WANTED = [502, 503, 504]

describe(`T-03 T-04 T-12 N-01 ${COUNT} generated requests`, () => {
  const stage = new Stage()
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let gateway: TestGateway
  let keys: Record<Shot['key'], string>
  const accounts: string[] = ['default']
  before(async () => {
    const env = {
      CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      CAPSTAN_LIMIT_FAILED_LOGINS: '1000000',
      CAPSTAN_LIMIT_KEY_CONCURRENCY: '100',
      CAPSTAN_LIMIT_ANSWER: '4000',
    }
    gateway = await startGateway({
      env,
      script: { 'test.echo': [stage.vendor('one', { fails: ['hi'] }), stage.vendor('two')], 'test.send': [stage.vendor('post')] },
    })
    const poor = await gateway.newAccount(3)
    await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 1_000_000, ref: 'for the test' })
    accounts.push(poor.id)
    keys = {
      rich: (await gateway.newKey()).key,
      poor: poor.key,
      capped: (await gateway.newKey({ credit_limit: 20 })).key,
      narrow: (await gateway.newKey({ scopes: ['test.send'] })).key,
      none: '',
      wrong: 'cap_wrong',
      admin: gateway.adminToken,
    }
  })
  after(async () => {
    agent.destroy()
    await gateway.close()
  })

  const fire = ({ method, path, headers, body, key }: Shot): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const url = new URL(gateway.url)
      const authorization = key === 'none' ? {} : { authorization: `Bearer ${keys[key]}` }
      const sent = request(
        { host: url.hostname, port: url.port, method, path, agent, headers: { ...authorization, ...headers }, timeout: LONGEST_MS },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              trailers: incoming.trailers,
              json: <T>() => JSON.parse(text) as T,
            })
          })
        },
      )
      sent.on('timeout', () => sent.destroy(new Error('no answer within five seconds')))
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })

  it('no unwanted 5xx, no hang, every answer as described, every credit accounted for', async () => {
    const random = seeded(SEED)
    const checker = await OpenApiChecker.of(gateway)
    const before = await Promise.all(accounts.map(async (account) => (await gateway.money(account)).balance))
    const statuses = new Map<number, number>()
    const complaints: string[] = []
    let spent = 0
    let sent = 0
    const worker = async (): Promise<void> => {
      while (sent < COUNT) {
        sent++
        const each = shot(random)
        const name = `${each.method} ${each.path.slice(0, 120)} ${JSON.stringify(each.headers).slice(0, 200)} ${each.body?.toString().slice(0, 200) ?? ''}`
        try {
          const reply = await fire(each)
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
          if (reply.status >= 500 && !WANTED.includes(reply.status))
            complaints.push(`${reply.status} for ${name}: ${reply.text.slice(0, 200)}`)
          const byHand = reply.headers.connection === 'close' && reply.headers['referrer-policy'] === undefined
          if (!byHand) expectHeaders(reply)
          if (reply.headers['idempotent-replayed'] === undefined)
            spent += Number(reply.headers['x-credits-used'] ?? reply.trailers['x-credits-used'] ?? 0)
          if (each.method !== 'HEAD' && reply.headers['content-type']?.startsWith('application/json') === true)
            complaints.push(...checker.faults(each.method, each.path, reply).map((fault) => `${fault} for ${name}`))
        } catch (error) {
          complaints.push(`${String(error)} for ${name}`)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const table = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    console.log(`      ${sent} requests from seed ${SEED}: ${table.join(', ')}; ${checker.seen.size} kinds of answers held against OpenAPI`)
    expect(complaints.slice(0, 10)).to.deep.equal([])
    expect(Object.keys(Object.prototype)).to.deep.equal([])
    const after = await Promise.all(accounts.map((account) => gateway.money(account)))
    expect(after.map(({ held }) => held)).to.deep.equal(accounts.map(() => 0))
    const paid = before.reduce((sum, balance) => sum + balance, 0) - after.reduce((sum, { balance }) => sum + balance, 0)
    expect(Math.round(paid * 1000)).to.equal(Math.round(spent * 1000))
    expect((await gateway.admin('GET', '/admin/v1/ledger/check')).json<{ problems: string[] }>().problems).to.deep.equal([])
    expect(statuses.get(200) ?? 0).to.be.above(COUNT / 20)
  }).timeout(60_000 + COUNT * 20)
})
