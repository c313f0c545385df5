import { randomBytes } from 'node:crypto'
import { Resolver as DnsResolver, lookup } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { codeOf } from '../problems/own-shortage.js'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { type Hosts, readHosts, readResolvConf, type ResolvConf } from './resolv-conf.js'

/** Interval between checks for changes, in milliseconds. */
const CHECK_MS = 5_000

/** A file of the system, read again when it has changed. Reads synchronously: it is small, and lookups may occupy the thread pool. */
class SystemFile<T> {
  readonly #path: string
  readonly #read: (text: string) => T
  readonly #clock: Clock
  #seen: { readonly stamp: string; readonly value: T } | null = null
  #checkAt = -Infinity

  constructor(path: string, read: (text: string) => T, clock: Clock) {
    this.#path = path
    this.#read = read
    this.#clock = clock
  }

  /** The content, at most 5 s old; empty for an unreadable or absent file. Throws without free descriptors. */
  get(): T {
    const now = this.#clock.monotonic()
    if (this.#seen !== null && now < this.#checkAt) return this.#seen.value
    const stamp = this.#stamp()
    if (stamp !== this.#seen?.stamp) this.#seen = { stamp, value: this.#read(this.#text()) }
    this.#checkAt = now + CHECK_MS
    return this.#seen.value
  }

  #stamp(): string {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (['ENOENT', 'EACCES'].includes(codeOf(error))) return ''
      throw error
    }
  }
}

/** Longest time to resolve one name, in milliseconds. */
export const NAME_MS = 2_000
const DNS_PORT = 53
/** With more rounds each try would be shorter than an answer takes. */
const MOST_ROUNDS = 3

/** The system's sources of names. */
export interface SystemNames {
  readonly resolvConf: string
  readonly hosts: string
  readonly hostname: () => string
  /** Resolves as other programs of the system do (getaddrinfo); occupies a thread meanwhile. */
  readonly lookup: (name: string) => Promise<readonly string[]>
}

/** The files and the resolver of the machine. */
export const SYSTEM_NAMES: SystemNames = {
  resolvConf: '/etc/resolv.conf',
  hosts: '/etc/hosts',
  hostname,
  lookup: async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
}

/** Which name servers are queried, and in which forms a name is queried: one configured server, or the current files of the system. */
export class NameServers {
  readonly #conf: () => ResolvConf
  readonly #hosts: () => Hosts
  /** True when the system's files apply. */
  readonly ofSystem: boolean
  readonly health: NameServerHealth

  /** `server` is `ip:port`; null uses the system's. */
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

  /** Number of servers. */
  get count(): number {
    return this.#conf().servers.length
  }

  /** The servers, the timeout of each in milliseconds, and the number of rounds over all. */
  get plan(): { readonly servers: readonly ServiceHost[]; readonly timeoutMs: number; readonly rounds: number } {
    const { servers, timeoutMs, attempts } = this.#conf()
    return { servers: servers.map(endpoint), timeoutMs, rounds: Math.min(attempts, MOST_ROUNDS) }
  }

  /** The addresses of a name in the hosts file; none for an absolute name, which ends in a dot. */
  inHosts(name: string): readonly string[] {
    return this.#hosts().get(name) ?? []
  }

  /** The names to query in order, by search list and ndots of resolv.conf(5); `name` itself is one of them. */
  forms(name: string): readonly string[] {
    const plain = name.replace(/\.$/, '')
    if (plain !== name) return [plain]
    const { search, ndots } = this.#conf()
    const searched = search.map((domain) => `${name}.${domain}`)
    return name.split('.').length - 1 >= ndots ? [name, ...searched] : [...searched, name]
  }

  /** A resolver (c-ares) for one lookup, so that it has its own port and can be cancelled alone. It times out after about `ms`; the first `skipped` servers are not used. */
  open(ms = NAME_MS, skipped = 0): DnsResolver {
    const { servers, timeoutMs, attempts } = this.#conf()
    const used = servers.slice(skipped)
    const rounds = Math.min(attempts, MOST_ROUNDS)
    // Every round doubles the time of a try.
    const share = Math.floor(ms / (used.length * (2 ** rounds - 1)))
    const resolver = new DnsResolver({ timeout: Math.min(timeoutMs, share), tries: rounds })
    // Node drops the zone of an address; c-ares reads the same file and keeps it.
    if (!used.some((server) => server.includes('%'))) resolver.setServers(used)
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

/** Errors which show that a name does not exist or has no address. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME', 'EBADNAME', 'EBADQUERY'])
/** Nothing listens at the servers' addresses, or the system's resolver reports that none answers. */
const REFUSING = new Set(['ECONNREFUSED', 'EAI_AGAIN'])
/** Code of a name that was not looked up. */
export const NOT_LOOKED_UP = 'ENOTLOOKEDUP'
/** Failures caused either by the name's own servers or by ours: no answer in time, or an error. */
const UNANSWERED = new Set([NOT_LOOKED_UP, 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'])
/** The control query is a random name below this domain: every name server with internet access can answer it, and none has it cached. */
const CONTROL = 'com'
const CONTROL_MS = 1_000
/** A lookup unanswered for this many milliseconds triggers the control query. */
const SUSPECT_MS = 500

/** Detects whether the configured name servers answer at all, to distinguish a name whose own servers fail from a gateway without name servers. */
class NameServerHealth {
  readonly #servers: Pick<NameServers, 'open' | 'plan'>
  readonly #clock: Clock
  readonly #log: Log
  #control: Promise<boolean> | null = null
  #answeredAt = -Infinity
  #away = false

  constructor(servers: Pick<NameServers, 'open' | 'plan'>, clock: Clock, log: Log) {
    this.#servers = servers
    this.#clock = clock
    this.#log = log
  }

  /**
   * Runs a lookup. Rejects with its error, or with code EAI_AGAIN when no name server answers anything within two seconds. The listeners
   * that `lookup` passes to `onAway` are then called, so that it ends and frees its slot.
   */
  async watch<T>(lookup: (onAway: (listener: () => void) => void) => Promise<T>): Promise<T> {
    const started = this.#clock.monotonic()
    let stop: () => void = () => undefined
    const listeners: (() => void)[] = []
    const silence = new Promise<never>((_resolve, reject) => {
      stop = this.#clock.after(SUSPECT_MS, () => {
        void this.#controlAnswered().then((answered) => {
          if (answered || this.#answeredAt >= started) return
          reject(away(undefined))
          for (const listener of listeners) listener()
        })
      })
    })
    try {
      const answer = await Promise.race([lookup((listener) => void listeners.push(listener)), silence])
      this.#answered()
      return answer
    } catch (error) {
      throw await this.#read(error, started)
    } finally {
      stop()
    }
  }

  #answered(): void {
    this.#answeredAt = this.#clock.monotonic()
    if (this.#away) this.#log('name-servers-back', 'name servers answer again')
    this.#away = false
  }

  async #read(error: unknown, started: number): Promise<unknown> {
    const code = codeOf(error)
    if (isUnknown(error)) this.#answered()
    if (REFUSING.has(code)) return this.#noServers(error)
    if (!UNANSWERED.has(code) || this.#answeredAt >= started) return error
    return (await this.#controlAnswered()) || this.#answeredAt >= started ? error : this.#noServers(error)
  }

  /** Whether the control query is answered; one at a time. */
  #controlAnswered(): Promise<boolean> {
    return (this.#control ??= this.#queryControl().finally(() => (this.#control = null)))
  }

  async #queryControl(): Promise<boolean> {
    const resolver = this.#servers.open(CONTROL_MS)
    try {
      await resolver.resolve4(`${randomBytes(8).toString('hex')}.${CONTROL}`)
      return true
    } catch (error) {
      return isUnknown(error)
    }
  }

  #noServers(cause: unknown): Error {
    this.#away = true
    const servers = this.#servers.plan.servers.map(({ host, port }) => `${host}:${port}`)
    this.#log('name-servers-away', 'no name server answers', { servers, error: codeOf(cause) })
    return away(cause)
  }
}

/** True for errors which show that a name does not exist or has no address. */
export function isUnknown(error: unknown): boolean {
  return NONE.has(codeOf(error))
}

function away(cause: unknown): Error {
  return Object.assign(new Error('no name server answers', { cause }), { code: 'EAI_AGAIN' })
}

/** A host that the operator configured, and its port. */
export interface ServiceHost {
  readonly host: string
  readonly port: number
}

/** Parses `host[:port]`. Throws a RangeError that names the setting when it is invalid. */
export function readServiceHost(text: string, setting: string, defaultPort: number): ServiceHost {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const port = digits === undefined ? defaultPort : Number(digits)
  const host = bracketed ?? plain
  if (host === undefined || port < 1 || port > 65_535) throw new RangeError(`${setting} is not host:port`)
  return { host, port }
}
