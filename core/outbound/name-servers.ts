import { lookup, Resolver as DnsResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { readServiceHost, type ServiceHost } from './service-host.js'
import { readHosts, readResolvConf, type Hosts, type ResolvConf } from './resolv-conf.js'
import { SystemFile } from './system-file.js'
import { randomBytes } from 'node:crypto'
import { codeOf } from '../problems/own-lack.js'

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

/** Answers by which a name is known not to exist, or to have no address. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME', 'EBADNAME', 'EBADQUERY'])
/** Nobody listens at the servers' addresses, or the system's resolver says that none answers. */
const REFUSING = new Set(['ECONNREFUSED', 'EAI_AGAIN'])
/** Of a name that was not asked, since others of its domain wait for an answer. */
export const NOT_ASKED = 'ENOTASKED'
/** Failures that are either the name's own servers' or ours: no answer in time, or one that cannot tell. */
const UNANSWERED = new Set([NOT_ASKED, 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'])
/** Below it a name is made up that every name server with a way to the internet can answer for and none has in its cache, within so many milliseconds. */
const CONTROL = 'com'
const CONTROL_MS = 1_000
/** A question without an answer for so long, in milliseconds, has the control question asked beside it. */
const SUSPECT_MS = 500

/** Whether the configured name servers answer at all, so that a name whose own servers fail is distinguished from a gateway without name servers. */
export class NameServerHealth {
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
   * The answer to a question. Rejects with what the question ended with, or with an error of the code EAI_AGAIN when no name server answers anything,
   * within two seconds. What `ask` hands to `onAway` is then called, so that the question ends and holds no place.
   */
  async asking<T>(ask: (onAway: (listener: () => void) => void) => Promise<T>): Promise<T> {
    const started = this.#clock.monotonic()
    let stop: () => void = () => undefined
    const listeners: (() => void)[] = []
    const silence = new Promise<never>((_resolve, reject) => {
      stop = this.#clock.after(SUSPECT_MS, () => {
        void this.#asked().then((known) => {
          if (known || this.#answeredAt >= started) return
          reject(away(undefined))
          for (const listener of listeners) listener()
        })
      })
    })
    try {
      const answer = await Promise.race([ask((listener) => void listeners.push(listener)), silence])
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
    return (await this.#asked()) || this.#answeredAt >= started ? error : this.#noServers(error)
  }

  /** Whether the control question is answered; one at a time. */
  #asked(): Promise<boolean> {
    return (this.#control ??= this.#ask().finally(() => (this.#control = null)))
  }

  async #ask(): Promise<boolean> {
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

/** True for the errors by which a name is known not to exist, or to have no address. */
export function isUnknown(error: unknown): boolean {
  return NONE.has(codeOf(error))
}

function away(cause: unknown): Error {
  return Object.assign(new Error('no name server answers', { cause }), { code: 'EAI_AGAIN' })
}
