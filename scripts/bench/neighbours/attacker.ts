/** A process of its own, so that its work holds no clock of the neighbour up: `attacker.js NAME URL KEY MILLISECONDS`; says `ready` and begins at a line of input. */
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import type { Attack } from './attack.js'
import { attacks } from './attacks.js'
import { slowHeads } from './slow-heads.js'

/** Another address than the neighbour's: connections and bytes of one address have bounds. */
const FROM = '127.0.0.2'
/** Most calls of an attack, unless it makes more at once. */
const MOST = 400
const BREATH_MS = 20
const SIP_MS = 200

interface Target {
  readonly url: string
  readonly key: string
  readonly agent: Agent
}

/** Makes one call and answers its status when its answer was read, 0 when it broke off. */
function call(attack: Attack, target: Target, body: string | Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    const method = attack.method ?? 'POST'
    const headers = {
      ...(attack.keyless ? {} : { authorization: `Bearer ${target.key}` }),
      ...(method === 'GET' ? {} : { 'content-type': attack.contentType ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const sent = request(target.url + attack.path, { method, agent: target.agent, localAddress: FROM, headers })
    sent.on('error', () => resolve(0))
    sent.on('response', (response) => {
      response.on('error', () => resolve(0)).on('close', () => resolve(response.statusCode ?? 0))
      if (attack.readBytes === undefined) response.resume()
      else if (attack.readBytes > 0) sip(response, attack.readBytes)
    })
    if (method === 'GET') sent.end()
    else if (attack.unfinished) sent.write(typeof body === 'string' ? body.slice(0, -1) : body.subarray(0, -1))
    else sent.end(body)
  })
}

/** Reads a few bytes every now and then. */
function sip(response: IncomingMessage, bytes: number): void {
  const timer = setInterval(() => void response.read(bytes), SIP_MS)
  response.on('close', () => clearInterval(timer))
}

const [name = '', url = '', key = '', forMs = '0'] = process.argv.slice(2)
const attack = attacks.find((known) => known.name === name)
if (attack === undefined) throw new Error(`there is no attack named ${name}`)
const page = attack.page?.() ?? null
const site = await httpServer((incoming, response) => {
  if (page === null || !(incoming.url ?? '').startsWith('/page')) return void response.writeHead(204).end()
  response.writeHead(200, { 'content-type': page.contentType, 'content-length': page.bytes.length }).end(page.bytes)
})
const first = attack.body(site.url, 0)
// A body that is the same each time is made once: megabytes for each call would take a processor from the gateway.
const same = typeof first === 'string' && first === attack.body(site.url, 1) ? Buffer.from(first) : null
const agent = new Agent({ keepAlive: true })
process.stdout.write('ready\n')
await once(process.stdin, 'data')

const over = performance.now() + Number(forMs)
const statuses: Record<string, number> = {}
let count = 0
const lane = async (): Promise<void> => {
  while (performance.now() < over && count < Math.max(MOST, attack.atOnce)) {
    const number = count++
    const status = await call(attack, { url, key, agent }, same ?? attack.body(site.url, number))
    statuses[status] = (statuses[status] ?? 0) + 1
    await pause(BREATH_MS)
  }
}
const slow = slowHeads(new URL(url), { count: attack.slowHeads ?? 0, from: FROM })
const lanes = Array.from({ length: attack.atOnce }, lane)
await Promise.race([slow === null ? Promise.all(lanes) : new Promise(() => undefined), pause(Number(forMs))])
process.stdout.write(`${JSON.stringify({ calls: count, statuses, ...slow?.() })}\n`, () => process.exit(0))
