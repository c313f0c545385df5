import { createRequire } from 'node:module'
import type { RequestListener } from 'node:http'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { createServer as createHttps } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { systemClock } from '../../core/runtime/clock.js'
import { Sockets } from '../../core/outbound/sockets.js'
import {
  httpServer,
  issued,
  rdapServer,
  running,
  whoisServer,
  zoneServer,
  type DnsQuery,
  type DnsReply,
  type DnsServer,
  type Issue,
  type KeyPair,
  type RdapServer,
  type RdapServerOptions,
  type Running,
  type WhoisAnswers,
  type WhoisServer,
  type Zones,
} from '../../core/sdk/testkit/index.js'
import { startGateway, type TestGateway } from './gateway.js'
import { outboundKit } from './outbound.js'
import { operatorHttp } from './s3.js'

/** Connects to the well-known ports of an address where the test's server for it really listens, and keeps what was connected to. */
class WellKnownPorts extends Sockets {
  readonly ports = new Map<string, number>()
  /** `address:port` of each connection, in order. */
  readonly connected: string[] = []

  override open(options: TcpNetConnectOpts): Socket {
    const target = `${options.host === 'checked.invalid' ? 'several' : (options.host ?? '')}:${String(options.port)}`
    this.connected.push(target)
    return super.open({ ...options, port: this.ports.get(target) ?? ([80, 443, 43, 25].includes(options.port) ? 1 : options.port) })
  }
}

export interface SiteWorldOptions {
  /** Records of the internet of this world; addresses of its servers are added. */
  readonly zones?: Zones
  readonly env?: Record<string, string>
  /** Milliseconds before every DNS answer. */
  readonly dnsDelayMs?: number
  readonly silent?: readonly string[]
  readonly ad?: boolean
  /** What name servers say in place of the records, an empty list for silence; undefined for what those say. */
  readonly instead?: (query: DnsQuery) => readonly DnsReply[] | DnsReply | undefined
}

export interface SiteOptions extends Pick<Issue, 'days' | 'alternatives' | 'whole'> {
  /** What plain http answers; default a redirect to https. */
  readonly plain?: RequestListener
  /** Names in the certificate, default the name; `own` for one that nobody trusts. */
  readonly certificate?: 'trusted' | 'own'
  readonly names?: readonly string[]
}

/**
 * A gateway among sites on loopback: each has a name, an address of its own in 127.0.2.0/24 and the ports 80, 443 and 43. Their certificates are
 * trusted while the world lasts.
 */
export class SiteWorld {
  readonly zones: Record<string, Record<string, unknown[]>>
  readonly names: DnsServer
  readonly gateway: TestGateway
  readonly #ports: WellKnownPorts
  readonly #closers: (() => unknown)[]
  #addresses = 0
  #key: string | null = null

  private constructor(given: {
    zones: Record<string, Record<string, unknown[]>>
    names: DnsServer
    gateway: TestGateway
    ports: WellKnownPorts
    closers: (() => unknown)[]
  }) {
    this.zones = given.zones
    this.names = given.names
    this.gateway = given.gateway
    this.#ports = given.ports
    this.#closers = given.closers
  }

  static async start({ zones: given = {}, env = {}, dnsDelayMs, silent, ad, instead }: SiteWorldOptions = {}): Promise<SiteWorld> {
    const zones = structuredClone(given) as Record<string, Record<string, unknown[]>>
    const delays = dnsDelayMs === undefined ? {} : { delays: everyName(dnsDelayMs) }
    const names = await zoneServer(zones, {
      ...delays,
      ...(silent === undefined ? {} : { silent }),
      ...(ad === undefined ? {} : { ad }),
      ...(instead === undefined ? {} : { instead }),
    })
    const ports = new WellKnownPorts()
    const kit = outboundKit({ allow: ['127.0.2.0/24'], dns: names.address, sockets: ports })
    const gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_RDAP_PER_SECOND: '100', CAPSTAN_RDAP_BOOTSTRAP: 'http://lists.test/dns.json', ...env },
      overrides: { outbound: { ...kit, operator: operatorHttp(systemClock) } },
    })
    return new SiteWorld({ zones, names, gateway, ports, closers: [() => gateway.close(), () => names.close()] })
  }

  /** `address:port` of each connection that was opened, in order. */
  get connected(): readonly string[] {
    return this.#ports.connected
  }

  /** A site of this name, by https and http. Needs the program openssl. */
  async site(
    name: string,
    secure: RequestListener,
    { plain = toHttps(name), certificate = 'trusted', names = [name], ...issue }: SiteOptions = {},
  ): Promise<Running> {
    const pair = issued({ names, ...issue })
    if (pair === null) throw new Error('openssl is missing')
    const address = this.address(name)
    if (certificate === 'trusted') this.#closers.unshift(trust(pair))
    const server = await running(createHttps({ key: pair.key, cert: pair.cert }, secure), address, 0)
    const open = await httpServer(plain, address)
    this.at(address, 443, server)
    this.at(address, 80, open)
    return server
  }

  /** Puts a server at a well-known port of an address. */
  at(address: string, port: number, server: Pick<Running, 'port' | 'close'>): void {
    this.#ports.ports.set(`${address}:${String(port)}`, server.port)
    this.#closers.unshift(() => server.close())
  }

  /** The registry of the TLDs `test`, by RDAP. */
  async rdap(options: RdapServerOptions): Promise<RdapServer> {
    const server = await rdapServer({
      services: () => [[options.tlds ?? ['test'], ['http://rdap.test/rdap/']]],
      ...options,
      host: this.address('rdap.test'),
    })
    this.zones['lists.test'] = this.zones['rdap.test'] ?? {}
    this.at(server.host, 80, server)
    return server
  }

  async whois(name: string, answers: WhoisAnswers): Promise<WhoisServer> {
    const server = await whoisServer(answers, { host: this.address(name) })
    this.at(server.host, 43, server)
    return server
  }

  /** Gives a name an address of its own. */
  address(name: string): string {
    this.#addresses++
    const address = `127.0.2.${String(this.#addresses)}`
    this.zones[name] = { ...this.zones[name], A: [address] }
    return address
  }

  /** Calls sites.intel. */
  async ask(domain: string, mode?: string) {
    this.#key ??= (await this.gateway.newKey()).key
    const body = mode === undefined ? { domain } : { domain, mode }
    return await this.gateway.send('/v1/sites/intel', { method: 'POST', body, key: this.#key })
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close()
  }
}

function toHttps(name: string): RequestListener {
  return (request, response) => void response.writeHead(301, { location: `https://${name}${request.url ?? '/'}` }).end()
}

/** The same delay, whatever the name. */
function everyName(ms: number): Record<string, number> {
  return new Proxy({}, { get: () => ms })
}

/** Lets the TLS clients of this process trust a root of the test; the returned function ends that. */
function trust({ root }: KeyPair & { readonly root: string }): () => void {
  const tls = createRequire(import.meta.url)('node:tls') as { createSecureContext: (options?: SecureContextOptions) => unknown }
  const before = tls.createSecureContext
  tls.createSecureContext = (options = {}) => {
    const context = before(options) as { context: { addCACert(pem: string): void } }
    if (options.cert === undefined) context.context.addCACert(root)
    return context
  }
  return () => void (tls.createSecureContext = before)
}
