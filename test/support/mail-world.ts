import type { Socket, TcpNetConnectOpts } from 'node:net'
import { systemClock, type Clock } from '../../core/runtime/clock.js'
import type { Outbound } from '../../core/outbound/types.js'
import { Sockets } from '../../core/outbound/sockets.js'
import type { DnsServer } from '../../core/sdk/testkit/dns-server.js'
import { zoneServer, type ZoneOptions } from '../../core/sdk/testkit/dns-zones.js'
import { rdapDomain, rdapServer, type RdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { mailServer, type MailServerOptions } from '../../core/sdk/testkit/smtp-server.js'
import type { LineServer } from '../../core/sdk/testkit/line-servers.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

const SMTP = 25

/** Connects to port 25 of an address where the test's server for that address really listens, and counts. */
class MailPorts extends Sockets {
  readonly ports = new Map<string, number>()
  readonly requests: string[] = []
  readonly #open = new Map<string, number>()
  readonly most = new Map<string, number>()

  override open(options: TcpNetConnectOpts): Socket {
    if (options.port !== SMTP) return super.open(options)
    const address = options.host ?? ''
    this.requests.push(address)
    const now = (this.#open.get(address) ?? 0) + 1
    this.#open.set(address, now)
    this.most.set(address, Math.max(now, this.most.get(address) ?? 0))
    const port = this.ports.get(address)
    const socket = super.open({ ...options, host: '127.0.0.1', port: port ?? 1 })
    // The guard checks the address that was reached.
    Object.defineProperty(socket, 'remoteAddress', { get: () => address })
    socket.once('close', () => this.#open.set(address, (this.#open.get(address) ?? 1) - 1))
    return socket
  }
}

export interface Verified {
  readonly email: string
  readonly status: string
  readonly sub_status: string | null
  readonly [field: string]: unknown
}

export interface MailNetOptions {
  readonly names?: ZoneOptions
  /** Domains with an RDAP record that say when they were registered. */
  readonly registered?: Readonly<Record<string, string>>
}

/** Name, registry and mail servers on loopback: each mail server has a name and an address of its own, 127.0.2.1 and so on. */
export class MailNet {
  readonly zones: Record<string, Record<string, unknown[]>>
  readonly #ports = new MailPorts()
  readonly #names: DnsServer
  readonly #rdap: RdapServer
  readonly #closers: (() => Promise<void>)[] = []

  private constructor(zones: MailNet['zones'], names: DnsServer, rdap: RdapServer) {
    this.zones = zones
    this.#names = names
    this.#rdap = rdap
  }

  static async start({ names = {}, registered = {} }: MailNetOptions = {}): Promise<MailNet> {
    const zones: MailNet['zones'] = {}
    const domains = Object.fromEntries(
      Object.entries(registered).map(([name, at]) => [
        name,
        rdapDomain(name, { events: [{ eventAction: 'registration', eventDate: at }] }),
      ]),
    )
    return new MailNet(zones, await zoneServer(zones, names), await rdapServer({ domains, tlds: ['test', 'com'] }))
  }

  /** Settings that lead a gateway here. */
  get env(): Record<string, string> {
    return { CAPSTAN_RDAP_BOOTSTRAP: this.#rdap.bootstrap, CAPSTAN_RDAP_PER_SECOND: '100' }
  }

  /** The way out of one gateway, which reaches these servers and no other address of the machine. */
  outbound(): Outbound {
    const allow = ['127.0.2.0/24', `127.0.0.1:${String(this.#rdap.port)}`]
    const kit = outboundKit({ allow, ports: [80, 443, this.#rdap.port], dns: this.#names.address, sockets: this.#ports })
    return { ...kit, operator: operatorHttp(systemClock) }
  }

  /** Addresses whose port 25 was connected to, in order. */
  get connected(): readonly string[] {
    return this.#ports.requests
  }

  /** Most connections to one mail server that were open at the same time. */
  most(host: string): number {
    return this.#ports.most.get(String(this.zones[host]?.A?.[0])) ?? 0
  }

  /** A domain whose mail this server takes. */
  async domain(name: string, options: MailServerOptions | LineServer = {}): Promise<LineServer> {
    const server = 'lines' in options ? options : await mailServer(options)
    this.host(`mx.${name}`, server)
    this.zones[name] = { MX: [{ preference: 10, exchange: `mx.${name}` }] }
    return server
  }

  /** A host name with an address of its own, and a server there; without one its port 25 is closed. */
  host(name: string, server: LineServer | null): void {
    const address = `127.0.2.${String(Object.keys(this.zones).length + 1)}`
    this.zones[name] = { A: [address] }
    if (server === null) return
    this.#ports.ports.set(address, server.port)
    this.#closers.push(() => server.close())
  }

  async close(): Promise<void> {
    for (const close of [...this.#closers, () => this.#names.close(), () => this.#rdap.close()]) await close()
  }
}

export interface MailWorldOptions extends MailNetOptions {
  /** Text of a capstan.yml. */
  readonly file?: string
  readonly env?: Record<string, string>
  readonly clock?: Clock
}

/** A gateway among mail servers. */
export class MailWorld {
  readonly net: MailNet
  readonly gateway: TestGateway
  /** Everything that was logged, as JSON. */
  readonly log: readonly string[]
  #key: string | null = null

  private constructor(net: MailNet, gateway: TestGateway, log: readonly string[]) {
    this.net = net
    this.gateway = gateway
    this.log = log
  }

  static async start({ file, env = {}, clock, ...options }: MailWorldOptions = {}): Promise<MailWorld> {
    const net = await MailNet.start(options)
    const log: string[] = []
    const gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env: { ...net.env, ...env },
      overrides: {
        ...(clock === undefined ? {} : { clock }),
        outbound: net.outbound(),
        log: (...line) => void log.push(JSON.stringify(line)),
      },
    })
    return new MailWorld(net, gateway, log)
  }

  async ask(email: string, key?: string): Promise<Reply> {
    this.#key ??= (await this.gateway.newKey()).key
    return await this.gateway.send('/v1/emails/verify', { method: 'POST', body: { email }, key: key ?? this.#key })
  }

  /** What was answered; fails when nothing was. */
  async verify(email: string): Promise<Verified> {
    const reply = await this.ask(email)
    if (reply.status !== 200) throw new Error(`${email}: ${reply.text}`)
    return reply.json<{ data: Verified }>().data
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.net.close()
  }
}
