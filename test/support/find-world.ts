import type { RequestListener } from 'node:http'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { systemClock, type Clock } from '../../core/runtime/clock.js'
import { Sockets } from '../../core/outbound/sockets.js'
import type { Outbound } from '../../core/outbound/types.js'
import type { DnsServer } from '../../core/sdk/testkit/dns-server.js'
import { zoneServer, type ZoneOptions } from '../../core/sdk/testkit/dns-zones.js'
import type { LineServer } from '../../core/sdk/testkit/line-servers.js'
import { httpServer } from '../../core/sdk/testkit/servers.js'
import { mailServer, type MailServerOptions } from '../../core/sdk/testkit/smtp-server.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

/** Connects to the well-known ports of an address where the test's server for that address really listens, and counts. */
class NamedPorts extends Sockets {
  readonly ports = new Map<string, number>()
  readonly requests: string[] = []

  override open(options: TcpNetConnectOpts): Socket {
    const address = options.host ?? ''
    if (!address.startsWith('127.0.3.')) return super.open(options)
    this.requests.push(`${address}:${String(options.port)}`)
    const socket = super.open({ ...options, host: '127.0.0.1', port: this.ports.get(`${address}:${String(options.port)}`) ?? 1 })
    // The guard checks the address that was reached.
    Object.defineProperty(socket, 'remoteAddress', { get: () => address })
    return socket
  }
}

export interface Found {
  readonly email: string
  readonly email_type: string
  readonly confidence: number
  readonly verification_status: string
  readonly first_name: string
  readonly last_name: string
  readonly domain: string
}

export interface FindWorldOptions {
  /** Text of a capstan.yml. */
  readonly file?: string
  readonly env?: Record<string, string>
  readonly names?: ZoneOptions
  readonly clock?: Clock
}

/** What a domain has: a mail server (null for one whose port is closed), and pages by path. */
export interface FindDomain {
  readonly mail?: MailServerOptions | LineServer | null
  readonly pages?: Pages
}

/** What a site answers: to a path a page of HTML, or to any request. */
type Pages = Readonly<Record<string, string>> | RequestListener

/** Name, mail and web servers on loopback: each domain has an address of its own, 127.0.3.1 and so on. */
export class FindNet {
  readonly zones: Record<string, Record<string, unknown[]>>
  /** Paths requested from sites, with the domain before them. */
  readonly pagesRead: string[] = []
  readonly #ports = new NamedPorts()
  readonly #names: DnsServer
  readonly #closers: (() => Promise<void>)[] = []

  private constructor(zones: FindNet['zones'], names: DnsServer) {
    this.zones = zones
    this.#names = names
  }

  static async start(names: ZoneOptions = {}): Promise<FindNet> {
    const zones: FindNet['zones'] = {}
    return new FindNet(zones, await zoneServer(zones, names))
  }

  /** The way out of one gateway, which reaches these servers and other ports of 127.0.0.1. */
  outbound(): Outbound {
    const kit = outboundKit({ allow: ['127.0.3.0/24', '127.0.0.1'], ports: [80, 443], dns: this.#names.address, sockets: this.#ports })
    return { ...kit, operator: operatorHttp(systemClock) }
  }

  /** Addresses and ports that were connected to, in order. */
  get connected(): readonly string[] {
    return this.#ports.requests
  }

  /** Sets a domain up; answers its mail server. */
  async domain(name: string, { mail = {}, pages }: FindDomain = {}): Promise<LineServer | null> {
    const address = `127.0.3.${String(Object.keys(this.zones).length + 1)}`
    this.zones[`mx.${name}`] = { A: [address] }
    this.zones[name] = { MX: [{ preference: 10, exchange: `mx.${name}` }], ...(pages === undefined ? {} : { A: [address] }) }
    if (pages !== undefined) await this.#site(name, address, pages)
    if (mail === null) return null
    const server = 'lines' in mail ? mail : await mailServer(mail)
    this.#ports.ports.set(`${address}:25`, server.port)
    this.#closers.push(() => server.close())
    return server
  }

  async close(): Promise<void> {
    for (const close of [...this.#closers, () => this.#names.close()]) await close()
  }

  async #site(name: string, address: string, pages: Pages): Promise<void> {
    const listener: RequestListener = (request, response) => {
      this.pagesRead.push(`${name}${request.url ?? ''}`)
      if (typeof pages === 'function') return void pages(request, response)
      const page = pages[request.url ?? '']
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? 'no')
    }
    const server = await httpServer(listener)
    this.#ports.ports.set(`${address}:80`, server.port)
    this.#closers.push(() => server.close())
  }
}

/** A gateway among domains with mail servers and sites. */
export class FindWorld {
  readonly net: FindNet
  readonly gateway: TestGateway
  /** Everything that was logged, as JSON. */
  readonly log: readonly string[]
  #key: string | null = null

  private constructor(net: FindNet, gateway: TestGateway, log: readonly string[]) {
    this.net = net
    this.gateway = gateway
    this.log = log
  }

  static async start({ file, env = {}, names, clock }: FindWorldOptions = {}): Promise<FindWorld> {
    const net = await FindNet.start(names)
    const log: string[] = []
    const gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env,
      overrides: {
        ...(clock === undefined ? {} : { clock }),
        outbound: net.outbound(),
        log: (...line) => void log.push(JSON.stringify(line)),
      },
    })
    return new FindWorld(net, gateway, log)
  }

  get zones(): FindNet['zones'] {
    return this.net.zones
  }

  domain(name: string, options: FindDomain = {}): Promise<LineServer | null> {
    return this.net.domain(name, options)
  }

  async ask(body: Readonly<Record<string, unknown>>, key?: string): Promise<Reply> {
    this.#key ??= (await this.gateway.newKey()).key
    return await this.gateway.send('/v1/emails/find', { method: 'POST', body, key: key ?? this.#key })
  }

  /** What was answered for a person, `first last@domain`; fails when nothing was. */
  async find(person: string): Promise<Found> {
    const reply = await this.ask(personOf(person))
    if (reply.status !== 200) throw new Error(`${person}: ${reply.text}`)
    return reply.json<{ data: Found }>().data
  }

  /** The type of the problem that a question ends with. */
  async refused(person: string): Promise<string> {
    const reply = await this.ask(personOf(person))
    return reply.status === 200 ? 'found' : (reply.json().error?.type.split('/').at(-1) ?? '')
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.net.close()
  }
}

function personOf(person: string): { first_name: string; last_name: string; domain: string } {
  const [name = '', domain = ''] = person.split('@')
  const [first_name = '', ...rest] = name.split(' ')
  return { first_name, last_name: rest.join(' '), domain }
}
