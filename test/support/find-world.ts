import type { RequestListener } from 'node:http'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { systemClock } from '../../core/clock.js'
import { Sockets } from '../../core/outbound/sockets.js'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import type { LineServer } from '../../core/sdk/testkit/line-servers.js'
import { httpServer } from '../../core/sdk/testkit/servers.js'
import { mailServer, type MailServerOptions } from '../../core/sdk/testkit/smtp-server.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

/** Connects to the well-known ports of an address where the test's server for that address really listens. */
class NamedPorts extends Sockets {
  readonly ports = new Map<string, number>()

  override open(options: TcpNetConnectOpts): Socket {
    const address = options.host ?? ''
    if (!address.startsWith('127.0.3.')) return super.open(options)
    const socket = super.open({ ...options, host: '127.0.0.1', port: this.ports.get(`${address}:${String(options.port)}`) ?? 1 })
    // The guard looks at the address that was reached.
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
}

/** What a domain has: a mail server (null for one whose port is closed), and pages by path. */
export interface FindDomain {
  readonly mail?: MailServerOptions | LineServer | null
  readonly pages?: Readonly<Record<string, string>>
}

/** A gateway among domains with mail servers and sites on loopback, each at an address of its own. */
export class FindWorld {
  readonly #ports: NamedPorts
  readonly #closers: (() => Promise<void>)[]
  readonly zones: Record<string, Record<string, unknown[]>>
  readonly gateway: TestGateway
  #key: string | null = null

  private constructor(given: { ports: NamedPorts; zones: FindWorld['zones']; gateway: TestGateway; closers: (() => Promise<void>)[] }) {
    this.#ports = given.ports
    this.zones = given.zones
    this.gateway = given.gateway
    this.#closers = given.closers
  }

  static async start({ file, env = {} }: FindWorldOptions = {}): Promise<FindWorld> {
    const zones: FindWorld['zones'] = {}
    const server = await zoneServer(zones, {})
    const ports = new NamedPorts()
    const kit = outboundKit({ allow: ['127.0.3.0/24', '127.0.0.1'], ports: [80, 443], dns: server.address, sockets: ports })
    const gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env,
      overrides: { outbound: { ...kit, operator: operatorHttp(systemClock) } },
    })
    return new FindWorld({ ports, zones, gateway, closers: [() => gateway.close(), () => server.close()] })
  }

  /** Sets a domain up; answers its mail server. */
  async domain(name: string, { mail = {}, pages }: FindDomain = {}): Promise<LineServer | null> {
    const address = `127.0.3.${String(Object.keys(this.zones).length + 1)}`
    this.zones[`mx.${name}`] = { A: [address] }
    this.zones[name] = { MX: [{ preference: 10, exchange: `mx.${name}` }], ...(pages === undefined ? {} : { A: [address] }) }
    if (pages !== undefined) await this.#site(address, pages)
    if (mail === null) return null
    const server = 'lines' in mail ? mail : await mailServer(mail)
    this.#ports.ports.set(`${address}:25`, server.port)
    this.#closers.push(() => server.close())
    return server
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
    for (const close of this.#closers) await close()
  }

  async #site(address: string, pages: Readonly<Record<string, string>>): Promise<void> {
    const listener: RequestListener = (request, response) => {
      const page = pages[request.url ?? '']
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? 'no')
    }
    const server = await httpServer(listener)
    this.#ports.ports.set(`${address}:80`, server.port)
    this.#closers.push(() => server.close())
  }
}

function personOf(person: string): { first_name: string; last_name: string; domain: string } {
  const [name = '', domain = ''] = person.split('@')
  const [first_name = '', ...rest] = name.split(' ')
  return { first_name, last_name: rest.join(' '), domain }
}
