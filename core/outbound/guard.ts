import { isIP } from 'node:net'
import { Fault } from '../sdk/index.js'
import { isPublic } from './address.js'
import { bareHost, type AllowList } from './allow.js'
import type { Requester } from './name-queue.js'
import type { Resolver } from './resolver.js'
import { parseUrl } from '../sdk/url.js'

/**
 * Who named the host, and for which purpose: a caller or a page for the web (`web`) or for mail and whois (`probe`), our own code
 * (`vendor`), or the operator, who may name private hosts (`operator`).
 */
export type Trust = 'web' | 'probe' | 'vendor' | 'operator'

const WEB_PORTS = new Set([80, 443])
const SMTP_PORT = 25
/** Mail submission with implicit TLS and with STARTTLS (RFC 8314), and WHOIS. */
const PROBE_PORTS = new Set([465, 587, 43])
const MAX_URL = 8_192
/** Names of the metadata services of clouds, which serve the credentials of the machine. */
const METADATA = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'instance-data',
  'instance-data.ec2.internal',
])

/** Decides which addresses may be reached. Every refusal is a `blocked` Fault with a sentence for callers. */
export class Guard {
  readonly #allow: AllowList
  readonly #resolver: Resolver
  readonly #ports: ReadonlySet<number>
  readonly #smtpPort: number

  /** `ports` are open on untrusted hosts, `smtpPort` on their mail servers; the allow list opens others. */
  constructor(allow: AllowList, resolver: Resolver, ports: ReadonlySet<number> = WEB_PORTS, smtpPort = SMTP_PORT) {
    this.#smtpPort = smtpPort
    this.#allow = allow
    this.#resolver = resolver
    this.#ports = ports
  }

  /** Parses an address of a caller, a page or a reply, and refuses what can be refused without a lookup. */
  url(text: string, base?: URL): URL {
    if (text.length > MAX_URL) throw new Fault('blocked', `the address is longer than ${MAX_URL} characters`)
    if (parseUrl(text, base?.href) === null) throw new Fault('blocked', 'the address is not a valid URL')
    const url = new URL(text, base?.href)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Fault('blocked', 'only http and https addresses are fetched')
    if (url.username !== '' || url.password !== '') throw new Fault('blocked', 'addresses with a user name or password are not fetched')
    this.#host(bareHost(url.hostname), portOf(url))
    return url
  }

  /**
   * The addresses of a host, all of them checked. Fault `missing` when the name is unknown, `blocked` and `unavailable` when it was not
   * resolved in time. `requester` is the caller of the lookup and reports when it is no longer needed.
   */
  async addresses(host: string, port: number, trust: Trust, requester?: Requester): Promise<readonly string[]> {
    const name = bareHost(host).toLowerCase()
    const own = trust === 'operator' || trust === 'vendor' || this.#allow.name(name, port)
    if (trust !== 'operator') this.#host(name, port)
    const found = isIP(name) === 0 ? await this.#resolver.resolve(host.endsWith('.') ? `${name}.` : name, { own, ...requester }) : [name]
    return trust === 'operator' ? found : this.#all(found, name, port, trust)
  }

  /** True when the operator allowed the host by name or address: limits for untrusted hosts do not apply. */
  exempt(host: string, port: number): boolean {
    const name = bareHost(host)
    return this.#allow.name(name, port) || this.#allow.address(name, port)
  }

  #host(name: string, port: number): void {
    if (name === '' || name.endsWith('.')) throw new Fault('blocked', 'the address has no valid host')
    if (METADATA.has(name) && !this.#allow.name(name, port)) throw notPublic()
    if (isIP(name) !== 0 && !this.#allow.address(name, port) && !isPublic(name)) throw notPublic()
  }

  #all(addresses: readonly string[], name: string, port: number, trust: Trust): readonly string[] {
    if (this.#allow.name(name, port)) return addresses
    const allowed = addresses.filter((address) => this.#allow.address(address, port))
    if (allowed.length > 0 && name === 'localhost') return allowed
    const untrusted = addresses.filter((address) => !allowed.includes(address))
    if (untrusted.some((address) => !isPublic(address))) throw notPublic()
    if (untrusted.length > 0 && !this.#opens(trust, port)) throw new Fault('blocked', `port ${port} is not open to foreign hosts`)
    return addresses
  }

  #opens(trust: Trust, port: number): boolean {
    if (trust === 'probe') return PROBE_PORTS.has(port) || port === this.#smtpPort
    return trust === 'vendor' || this.#ports.has(port)
  }
}

/** The port of a parsed http or https URL. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function notPublic(): Fault {
  return new Fault('blocked', 'the address is not public', { obstacle: 'private' })
}
