import { lookup, Resolver as DnsResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../clock.js'
import { Fault } from '../sdk/index.js'

const LIMIT_MS = 2_000
const NEGATIVE_MS = 5_000
const NEGATIVE_NAMES = 1_000
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME'])

/** Names to addresses, through the configured resolver or the system's; at most 2 s, failures remembered for 5 s. */
export class Resolver {
  readonly #clock: Clock
  readonly #dns: DnsResolver | null
  readonly #pending = new Map<string, Promise<readonly string[]>>()
  readonly #failed = new Map<string, { readonly until: number; readonly fault: Fault }>()

  /** `server` is `ip:port`; null asks the system. */
  constructor(server: string | null, clock: Clock) {
    this.#clock = clock
    this.#dns = server === null ? null : new DnsResolver({ timeout: LIMIT_MS / 2, tries: 2 })
    if (server !== null) this.#dns?.setServers([server])
  }

  /** All addresses of a name, at least one. A `missing` Fault for unknown names, `blocked` when the question was not answered. */
  resolve(name: string): Promise<readonly string[]> {
    if (name === 'localhost' || name.endsWith('.localhost')) return Promise.resolve(['127.0.0.1', '::1'])
    const failed = this.#failed.get(name)
    if (failed !== undefined) {
      if (failed.until > this.#clock.monotonic()) return Promise.reject(failed.fault)
      this.#failed.delete(name)
    }
    const pending = this.#pending.get(name) ?? this.#ask(name)
    this.#pending.set(name, pending)
    return pending
  }

  async #ask(name: string): Promise<readonly string[]> {
    try {
      return await within(LIMIT_MS, this.#clock, this.#dns === null ? bySystem(name) : byServer(this.#dns, name))
    } catch (error) {
      const fault = faultOf(error)
      if (this.#failed.size >= NEGATIVE_NAMES) this.#failed.clear()
      this.#failed.set(name, { until: this.#clock.monotonic() + NEGATIVE_MS, fault })
      throw fault
    } finally {
      this.#pending.delete(name)
    }
  }
}

async function bySystem(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return unique(answers.map((answer) => answer.address))
}

async function byServer(dns: DnsResolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.all([outcome(dns.resolve4(name)), outcome(dns.resolve6(name))])
  const addresses = unique(answers.flatMap((answer) => answer.addresses))
  if (addresses.length > 0) return addresses
  const errors = answers.map((answer) => answer.error)
  throw errors.find((error) => error !== null && !UNKNOWN.has(codeOf(error))) ?? errors[0] ?? new Error('the resolver gave no address')
}

async function outcome(question: Promise<string[]>): Promise<{ addresses: readonly string[]; error: Error | null }> {
  try {
    return { addresses: await question, error: null }
  } catch (error) {
    return { addresses: [], error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function unique(addresses: readonly string[]): string[] {
  return [...new Set(addresses)]
}

function within<T>(ms: number, clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => reject(new Error('the resolver did not answer in time')))
    work.then(resolve, reject).finally(stop)
  })
}

/** The code of a system error (`ECONNREFUSED`, `ENOTFOUND`), or an empty string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function faultOf(error: unknown): Fault {
  const internal = `dns: ${codeOf(error) || (error instanceof Error ? error.message : 'failed')}`
  return UNKNOWN.has(codeOf(error))
    ? new Fault('missing', 'the host name is unknown', { internal, cause: error })
    : new Fault('blocked', 'the host name could not be resolved', { internal, cause: error })
}

/** Throws a RangeError that names the setting when it is not `ip` or `ip:port`. */
export function checkServer(setting: string): void {
  const [, host = '', port = '53'] = /^\[?([^[\]]+?)\]?(?::(\d{1,5}))?$/.exec(setting) ?? []
  if (isIP(host) === 0 && isIP(setting) === 0) throw new RangeError('net.dns is not a resolver such as 127.0.0.1:53')
  if (Number(port) < 1 || Number(port) > 65_535) throw new RangeError('net.dns has no valid port')
}
