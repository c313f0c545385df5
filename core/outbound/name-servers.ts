import { lookup, Resolver as DnsResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { NameServerHealth } from './name-server-health.js'
import { readServiceHost, type ServiceHost } from './service-host.js'
import { readHosts, readResolvConf, type Hosts, type ResolvConf } from './resolv-conf.js'
import { SystemFile } from './system-file.js'

/** How long one name may take in all, in milliseconds. */
export const NAME_MS = 2_000
const DNS_PORT = 53
/** More rounds would leave each try less time than an answer takes. */
const MOST_ROUNDS = 3

/** Where the system keeps what it knows of names. */
export interface SystemNames {
  readonly resolvConf: string
  readonly hosts: string
  readonly hostname: () => string
  /** Asks as other programs of the system do (getaddrinfo); holds a thread for as long as that takes. */
  readonly lookup: (name: string) => Promise<readonly string[]>
}

/** The files and the resolver of the machine. */
export const SYSTEM_NAMES: SystemNames = {
  resolvConf: '/etc/resolv.conf',
  hosts: '/etc/hosts',
  hostname,
  lookup: async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
}

/** Which name servers are asked, and in which forms a name is asked: one configured server, or what the system's files say now. */
export class NameServers {
  readonly #conf: () => ResolvConf
  readonly #hosts: () => Hosts
  /** True when the system's files are in force. */
  readonly ofSystem: boolean
  readonly health: NameServerHealth

  /** `server` is `ip:port`; null takes the system's. */
  constructor(
    server: string | null,
    clock: Clock,
    { resolvConf, hosts, hostname }: SystemNames = SYSTEM_NAMES,
    log: Log = () => undefined,
  ) {
    this.ofSystem = server === null
    this.health = new NameServerHealth(this, clock, log)
    if (server === null) {
      const conf = new SystemFile(resolvConf, (text) => readResolvConf(text, hostname()), clock)
      const table = new SystemFile(hosts, readHosts, clock)
      this.#conf = () => conf.get()
      this.#hosts = () => table.get()
    } else {
      const conf: ResolvConf = { ...readResolvConf('', ''), servers: [server] }
      const none: Hosts = new Map()
      this.#conf = () => conf
      this.#hosts = () => none
    }
  }

  /** How many servers there are. */
  get count(): number {
    return this.#conf().servers.length
  }

  /** Who is asked, how long each is waited for at most, in milliseconds, and how often all are asked. */
  get plan(): { readonly servers: readonly ServiceHost[]; readonly timeoutMs: number; readonly rounds: number } {
    const { servers, timeoutMs, attempts } = this.#conf()
    return { servers: servers.map(endpoint), timeoutMs, rounds: Math.min(attempts, MOST_ROUNDS) }
  }

  /** The addresses that the hosts file has for a name; none for an absolute name, which ends in a dot. */
  inHosts(name: string): readonly string[] {
    return this.#hosts().get(name) ?? []
  }

  /** The names to ask for in order, as resolv.conf(5) says of search list and ndots; `name` itself is one of them. */
  forms(name: string): readonly string[] {
    const plain = name.replace(/\.$/, '')
    if (plain !== name) return [plain]
    const { search, ndots } = this.#conf()
    const searched = search.map((domain) => `${name}.${domain}`)
    return name.split('.').length - 1 >= ndots ? [name, ...searched] : [...searched, name]
  }

  /** A resolver (c-ares) for one question, so that it can be cancelled by itself and has a port of its own. It gives up after about `ms`; the first `skipped` servers are left out. */
  open(ms = NAME_MS, skipped = 0): DnsResolver {
    const { servers, timeoutMs, attempts } = this.#conf()
    const asked = servers.slice(skipped)
    const rounds = Math.min(attempts, MOST_ROUNDS)
    // Every round doubles the time of a try.
    const share = Math.floor(ms / (asked.length * (2 ** rounds - 1)))
    const resolver = new DnsResolver({ timeout: Math.min(timeoutMs, share), tries: rounds })
    // Node drops the zone of an address; c-ares has read the same file and kept it.
    if (!asked.some((server) => server.includes('%'))) resolver.setServers(asked)
    return resolver
  }
}

function endpoint(server: string): ServiceHost {
  return isIP(server) === 0 ? readServiceHost(server, 'net.dns', DNS_PORT) : { host: server, port: DNS_PORT }
}

/** Throws a RangeError that names the setting when it is not `ip` or `ip:port`. */
export function checkServer(setting: string): void {
  const [, host = '', port = '53'] = /^\[?([^[\]]+?)\]?(?::(\d{1,5}))?$/.exec(setting) ?? []
  if (isIP(host) === 0 && isIP(setting) === 0) throw new RangeError('net.dns is not a resolver such as 127.0.0.1:53')
  if (Number(port) < 1 || Number(port) > 65_535) throw new RangeError('net.dns has no valid port')
}
