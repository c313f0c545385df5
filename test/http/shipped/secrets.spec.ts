import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { openLog } from '../../../core/telemetry/log.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { SHIPPED_CALLS } from '../../support/shipped/calls.js'
import type { Mood } from '../../support/shipped/gate.js'
import { ShippedWorld } from '../../support/shipped/world.js'

const ADMIN_TOKEN = 'adm_canary-of-the-admin-token-0123456789'
const MOODS: readonly Mood[] = ['answers', 'repeats', 'babbles', 'fails']

/** Whether a place holds a secret, as it is or as Base64 after any prefix. */
function holds(bytes: Buffer | string, secret: string): boolean {
  const shifted = ['', ':', 'x:'].map((before) =>
    Buffer.from(before + secret)
      .toString('base64')
      .slice(4, -4),
  )
  return [secret, ...shifted].some((each) => bytes.includes(each))
}

describe('N-34 no secret of a gateway is where people or programs read, whatever vendors repeat of it', function () {
  this.timeout(180_000)
  const secrets = new Map<string, string>([['CAPSTAN_ADMIN_TOKEN', ADMIN_TOKEN]])
  const secretOf = (name: string): string => {
    const secret = `canary-${name.toLowerCase().replaceAll('_', '-')}-5f8e2a`
    secrets.set(name, secret)
    return secret
  }
  let world: ShippedWorld
  let gateway: TestGateway
  const lines: string[] = []
  before(async () => {
    world = await ShippedWorld.start()
    const options = world.options('gated', secretOf)
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString())
        done()
      },
    })
    const { log } = openLog({ level: 'debug', format: 'json', destination })
    gateway = await startGateway({ ...options, env: { ...options.env, CAPSTAN_ADMIN_TOKEN: ADMIN_TOKEN }, overrides: { log } })
    secrets.set('the key of the caller', gateway.key)
  })
  after(async () => {
    await gateway?.close()
    await world?.close()
  })
  /** The places, by their names, that hold a secret. */
  const found = (places: Readonly<Record<string, Buffer | string>>): string[] =>
    Object.entries(places).flatMap(([place, bytes]) =>
      [...secrets].flatMap(([name, secret]) => (holds(bytes, secret) ? [`${name} in ${place}`] : [])),
    )

  it('answers, the log, the history, metrics, the admin API and the files of the data folder', async () => {
    const answers: string[] = []
    for (const [index, mood] of MOODS.entries()) {
      world.gate.be(mood)
      for (const [id, call] of Object.entries(SHIPPED_CALLS)) {
        const { path } = gateway.app.services.registry().capabilities.get(id)?.capability ?? expect.fail(`${id} is not loaded`)
        const reply = await gateway.post(path, call.gated(world, 100 + index))
        answers.push(`${id} ${mood} ${String(reply.status)} ${JSON.stringify(reply.headers)} ${reply.text}`)
      }
    }
    const requests = JSON.stringify(world.gate.requests.map(({ headers, query, body }) => [headers, query.toString(), body]))
    const sent = [...secrets].filter(([name, secret]) => name.endsWith('_KEY') && holds(requests, secret))
    expect(sent.length, 'vendors that were sent their secret').to.be.at.least(5)
    const { text: metrics } = await gateway.app.services.telemetry.metrics()
    const pages = [
      '/v1/calls?limit=100',
      '/v1/usage',
      '/v1/account',
      '/v1/capabilities',
      '/v1/keys',
      '/v1/tools?format=raw',
      '/v1/openapi.json',
      '/llms.txt',
    ]
    const operator = ['/admin/v1/audit', '/admin/v1/diagnosis', '/admin/v1/accounts', '/admin/v1/providers', '/admin/v1/usage']
    const places: Record<string, Buffer | string> = { metrics, answers: answers.join('\n'), log: lines.join('') }
    for (const page of pages) places[page] = (await gateway.get(page)).text
    for (const page of operator) places[page] = (await gateway.admin('GET', page)).text
    for (const name of readdirSync(gateway.folder, { recursive: true, withFileTypes: true }))
      if (name.isFile()) places[name.name] = readFileSync(join(name.parentPath, name.name))
    expect(places.log?.length, 'bytes of the log').to.be.above(10_000)
    expect(Object.keys(places)).to.include('capstan.db')
    expect(found(places)).to.deep.equal([])
  })
})
