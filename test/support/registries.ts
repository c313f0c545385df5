import type { Socket, TcpNetConnectOpts } from 'node:net'
import { systemClock } from '../../core/runtime/clock.js'
import { Sockets } from '../../core/outbound/sockets.js'
import { zoneServer, type Zones } from '../../core/sdk/testkit/dns-zones.js'
import { rdapServer, type RdapServer, type RdapServerOptions } from '../../core/sdk/testkit/rdap-server.js'
import { whoisServer, type WhoisAnswers, type WhoisServer } from '../../core/sdk/testkit/whois-server.js'
import { startGateway, type TestGateway } from './gateway.js'
import { index } from './loader-texts.js'
import { PluginFolder } from './loader.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

const SDK = 'capstan/sdk'
const contract = `import { capability, flat, nullable, or, Type } from '${SDK}'
export const look = capability({
  id: 'look', path: '/v1/look', title: 'Look', description: 'Looks a domain up.', price: flat(1), timeoutMs: 60_000,
  input: Type.Object({
    domain: Type.String({ description: 'Domain.' }),
    contacts: or(Type.Boolean({ description: 'Contacts.' }), true),
    only: or(nullable(Type.String({ description: 'Vendor.' })), null),
  }),
  output: Type.Object({ found: Type.Unknown() }),
  examples: [{ title: 'One', params: { domain: 'acme.test' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { registrationFind } from 'capstan/contracts/registration'
import { look } from './contract.mjs'
export const run = handle(look, async ({ only, ...input }, ctx) => ({
  found: await ctx.call(registrationFind, input, only === null ? {} : { only }),
}))
`

/** Connects to port 43 of an address where the test's server for that address really listens. */
class WhoisPorts extends Sockets {
  readonly ports = new Map<string, number>()
  /** Addresses whose port 43 was connected to. */
  readonly requests: string[] = []

  override open(options: TcpNetConnectOpts): Socket {
    if (options.port !== 43) return super.open(options)
    const address = options.host ?? ''
    this.requests.push(address)
    return super.open({ ...options, port: this.ports.get(address) ?? 1 })
  }
}

/** What was found, as the port answers. */
export interface Found {
  readonly registered: boolean
  readonly source: string
  readonly [field: string]: unknown
}

/** A gateway among registries on loopback: each has an address of its own, 127.0.1.1 and so on, and a name. */
export class Registries {
  readonly #ports: WhoisPorts
  readonly #closers: (() => Promise<void>)[]
  readonly #zones: Record<string, Record<string, string[]>>
  #key: string | null = null
  readonly gateway: TestGateway

  private constructor(given: {
    ports: WhoisPorts
    closers: (() => Promise<void>)[]
    zones: Record<string, Record<string, string[]>>
    gateway: TestGateway
  }) {
    this.#ports = given.ports
    this.#closers = given.closers
    this.#zones = given.zones
    this.gateway = given.gateway
  }

  /** `env` are further settings; names of `zones` beside those of the servers may resolve to addresses that are refused. */
  static async start({
    env = {},
    zones = {},
    whois,
  }: { env?: Record<string, string>; zones?: Zones; whois?: string } = {}): Promise<Registries> {
    const records: Record<string, Record<string, string[]>> = structuredClone(zones) as never
    const names = await zoneServer(records)
    const folder = await PluginFolder.make()
    await folder.write('look', { 'index.mjs': index('look', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    const ports = new WhoisPorts()
    const kit = outboundKit({ allow: ['127.0.1.0/24'], dns: names.address, sockets: ports, ...(whois === undefined ? {} : { whois }) })
    const gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_RDAP_PER_SECOND: '100', ...env },
      overrides: { outbound: { ...kit, operator: operatorHttp(systemClock) } },
    })
    return new Registries({ ports, zones: records, gateway, closers: [() => gateway.close(), () => names.close(), () => folder.remove()] })
  }

  /** Addresses whose port 43 was connected to, in order. */
  get connected(): readonly string[] {
    return this.#ports.requests
  }

  /** A WHOIS server of this name. */
  async whois(name: string, answers: WhoisAnswers): Promise<WhoisServer> {
    const host = this.#address(name)
    const server = await whoisServer(answers, { host })
    this.#ports.ports.set(host, server.port)
    this.#closers.unshift(() => server.close())
    return server
  }

  /** An RDAP server of this name. */
  async rdap(name: string, options: RdapServerOptions): Promise<RdapServer> {
    const server = await rdapServer({ ...options, name, host: this.#address(name) })
    this.#closers.unshift(() => server.close())
    return server
  }

  /** Calls the port; returns the reply of the gateway. */
  async ask(domain: string, more: { contacts?: boolean; only?: string } = {}) {
    this.#key ??= (await this.gateway.newKey()).key
    return await this.gateway.send('/v1/look', { method: 'POST', body: { domain, ...more }, key: this.#key })
  }

  /** The last word of the problem's type, such as `no-result`, and the seconds of Retry-After. */
  async refusal(domain: string, more: { contacts?: boolean; only?: string } = {}): Promise<{ type: string; retryAfter: number | null }> {
    const reply = await this.ask(domain, more)
    const type = reply.json<{ error: { type: string } | null }>().error?.type ?? 'none'
    const seconds = reply.headers['retry-after']
    return { type: type.split('/').at(-1) ?? '', retryAfter: seconds === undefined ? null : Number(seconds) }
  }

  /** What the port answered; fails when it did not. */
  async found(domain: string, more: { contacts?: boolean; only?: string } = {}): Promise<Found> {
    const reply = await this.ask(domain, more)
    if (reply.status !== 200) throw new Error(`${domain}: ${reply.text}`)
    return reply.json<{ data: { found: Found } }>().data.found
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close()
  }

  #address(name: string): string {
    const host = `127.0.1.${String(Object.keys(this.#zones).length + 1)}`
    this.#zones[name] = { A: [host] }
    return host
  }
}
