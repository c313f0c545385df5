import { isIP } from 'node:net'

/** Limits of resolv.conf(5). */
const MOST_SERVERS = 3
const MOST = { ndots: 15, timeout: 30, attempts: 5 } as const
const DEFAULTS = { ndots: 1, timeout: 5, attempts: 2 } as const

/** The settings of resolv.conf(5). */
export interface ResolvConf {
  /** `ip` or `ip:port`, at least one. */
  readonly servers: readonly string[]
  /** Domains that are appended to a name. */
  readonly search: readonly string[]
  /** A name with so many dots is queried unmodified first. */
  readonly ndots: number
  /** Timeout of one server, in milliseconds. */
  readonly timeoutMs: number
  /** Tries of each server. */
  readonly attempts: number
}

/** Addresses by name in lower case, in the order of the file. */
export type Hosts = ReadonlyMap<string, readonly string[]>

/** Parses resolv.conf(5); the search list defaults to the domain of `hostname`. Servers may have ports: `[ip]:port`. */
export function readResolvConf(text: string, hostname: string): ResolvConf {
  const servers: string[] = []
  let search = [hostname.split('.').slice(1).join('.')]
  const numbers: Record<string, number> = { ...DEFAULTS }
  for (const line of text.split('\n')) {
    const [keyword = '', ...values] = line.trimEnd().split(/\s+/)
    if (keyword === 'nameserver') servers.push(values[0] ?? '')
    if (keyword === 'domain') search = values.slice(0, 1)
    if (keyword === 'search') search = values
    if (keyword === 'options') Object.assign(numbers, optionsOf(values))
  }
  const { ndots = DEFAULTS.ndots, timeout = DEFAULTS.timeout, attempts = DEFAULTS.attempts } = numbers
  const usable = servers.filter(isServer).slice(0, MOST_SERVERS)
  return {
    servers: usable.length === 0 ? ['127.0.0.1'] : usable,
    search: search.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== ''),
    ndots,
    timeoutMs: timeout * 1_000,
    attempts,
  }
}

/** Parses hosts(5). */
export function readHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const known = hosts.get(name.toLowerCase())
      if (known === undefined) hosts.set(name.toLowerCase(), [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return hosts
}

function optionsOf(values: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const value of values) {
    const [, name, digits] = /^(ndots|timeout|attempts):(\d+)$/.exec(value) ?? []
    if (name === 'ndots') found[name] = Math.min(Number(digits), MOST.ndots)
    if (name === 'timeout' || name === 'attempts') found[name] = Math.max(1, Math.min(Number(digits), MOST[name]))
  }
  return found
}

function isServer(text: string): boolean {
  const [, host = text] = /^\[([^[\]]+)\]:\d{1,5}$/.exec(text) ?? []
  return isIP(host) !== 0
}
