import type { Socket, TcpNetConnectOpts } from 'node:net'
import { systemClock } from '../../core/clock.js'
import { Sockets } from '../../core/outbound/sockets.js'
import { zoneServer, type ZoneOptions } from '../../core/sdk/testkit/dns-zones.js'
import { rdapDomain, rdapServer } from '../../core/sdk/testkit/rdap-server.js'
import { mailServer, type MailServerOptions } from '../../core/sdk/testkit/smtp-server.js'
import type { LineServer } from '../../core/sdk/testkit/line-servers.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

const SMTP = 25

/** Connects to port 25 of an address where the test's server for that address really listens, and counts. */
class MailPorts extends Sockets {
  readonly ports = new Map<string, number>()
  readonly asked: string[] = []
  readonly #open = new Map<string, number>()
  readonly most = new Map<string, number>()

  override open(options: TcpNetConnectOpts): Socket {
    if (options.port !== SMTP) return super.open(options)
    const address = options.host ?? ''
    this.asked.push(address)
    const now = (this.#open.get(address) ?? 0) + 1
    this.#open.set(address, now)
    this.most.set(address, Math.max(now, this.most.get(address) ?? 0))
    const port = this.ports.get(address)
    const socket = super.open({ ...options, host: '127.0.0.1', port: port ?? 1 })
    // The guard looks at the address that was reached.
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

export interface MailWorldOptions {
  readonly names?: ZoneOptions
  /** Domains with an RDAP record that say when they were registered. */
  readonly registered?: Readonly<Record<string, string>>
  /** Text of a capstan.yml. */
  readonly file?: string
  readonly env?: Record<string, string>
}

/** A gateway among mail servers on loopback: each has a name and an address of its own, 127.0.2.1 and so on. */
export class MailWorld {
  readonly #ports: MailPorts
  readonly zones: Record<string, Record<string, unknown[]>>
  readonly #closers: (() => Promise<void>)[]
  readonly gateway: TestGateway
  #key: string | null = null

  private constructor(given: { ports: MailPorts; zones: MailWorld['zones']; closers: (() => Promise<void>)[]; gateway: TestGateway }) {
    this.#ports = given.ports
    this.zones = given.zones
    this.#closers = given.closers
    this.gateway = given.gateway
  }

  static async start({ names = {}, registered = {}, file, env = {} }: MailWorldOptions = {}): Promise<MailWorld> {
    const zones: MailWorld['zones'] = {}
    const server = await zoneServer(zones, names)
    const domains = Object.fromEntries(
      Object.entries(registered).map(([name, at]) => [
        name,
        rdapDomain(name, { events: [{ eventAction: 'registration', eventDate: at }] }),
      ]),
    )
    const rdap = await rdapServer({ domains, tlds: ['test', 'com'] })
    const ports = new MailPorts()
    const kit = outboundKit({ allow: ['127.0.2.0/24', '127.0.0.1'], ports: [80, 443, rdap.port], dns: server.address, sockets: ports })
    const gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env: { CAPSTAN_RDAP_BOOTSTRAP: rdap.bootstrap, CAPSTAN_RDAP_PER_SECOND: '100', ...env },
      overrides: { outbound: { ...kit, operator: operatorHttp(systemClock) } },
    })
    return new MailWorld({ ports, zones, gateway, closers: [() => gateway.close(), () => server.close(), () => rdap.close()] })
  }

  /** Addresses whose port 25 was connected to, in order. */
  get connected(): readonly string[] {
    return this.#ports.asked
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
    for (const close of this.#closers) await close()
  }
}
