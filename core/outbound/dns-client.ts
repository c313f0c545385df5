import type { DecodedPacket } from 'dns-packet'
import type { Cancel } from '../runtime/cancel.js'
import { answerOf, Fault, type DnsAnswer, type DnsType, type QueryOptions } from '../sdk/index.js'
import { plainName, unlessCancelled } from './dns.js'
import { dataOf } from './dns-data.js'
import { DnsQuestion, isTruncated, readMessage, responseCode } from './dns-message.js'
import { askByTcp, askByUdp, failure } from './dns-transport.js'
import { typeNumber } from './dns-types.js'
import { Stopped } from './exchange.js'
import type { NameServers } from './name-servers.js'
import { nameFault } from './resolver.js'
import type { ServiceHost } from './service-host.js'
import type { Sockets } from './sockets.js'
import { codeOf } from '../problems/own-lack.js'

/** How long a question may take over all servers, in milliseconds. */
const QUESTION_MS = 6_000
const MOST_ALIASES = 16
const NOERROR = 0
const FORMERR = 1
const NXDOMAIN = 3
/** Response codes of a server that cannot tell (RFC 6895 2.3), in c-ares' words. */
const FAILURES: ReadonlyMap<number, string> = new Map([
  [FORMERR, 'EFORMERR'],
  [2, 'ESERVFAIL'],
  [4, 'ENOTIMP'],
  [5, 'EREFUSED'],
])

/** Asks name servers over the wire, for every type and with their word on DNSSEC. */
export class DnsClient {
  readonly #servers: NameServers
  readonly #sockets: Sockets

  constructor(servers: NameServers, sockets: Sockets) {
    this.#servers = servers
    this.#sockets = sockets
  }

  /**
   * Rejects with a Fault: `missing` for what is no name, `blocked` and `unavailable` when no server could tell, caused by EAI_AGAIN when none answers anything;
   * with Stopped when cancelled.
   */
  async ask<T extends DnsType>(name: string, type: T, cancel: Cancel, { unchecked = false }: QueryOptions = {}): Promise<DnsAnswer<T>> {
    const asked = { name: name === '.' ? '' : plainName(name), type, unchecked }
    const question = cancel.step(Infinity)
    const ask = (onAway: (listener: () => void) => void): Promise<DnsAnswer<DnsType>> => {
      onAway(() => question.cancel.cancel('over'))
      return this.#ask(asked, question.cancel)
    }
    try {
      return answerOf<DnsAnswer<T>>(await unlessCancelled(this.#servers.health.asking(ask), cancel))
    } catch (error) {
      throw error instanceof Stopped || Fault.is(error)
        ? error
        : nameFault(error, { name: asked.name, unanswered: 'the name servers had no answer' })
    } finally {
      question.done()
    }
  }

  async #ask(asked: Asked, cancel: Cancel): Promise<DnsAnswer<DnsType>> {
    const number = typeNumber(asked.type)
    const { servers, timeoutMs, rounds } = this.#servers.plan
    const share = Math.min(timeoutMs, Math.floor(QUESTION_MS / (servers.length * rounds)))
    const left = new Set(servers)
    let first: Error | null = null
    for (let round = 0; round < rounds; round++)
      for (const server of left) {
        const outcome = await this.#try(server, { ...asked, number }, { cancel, ms: share })
        if (!(outcome instanceof Error)) return outcome
        if (first === null || codeOf(first) === 'ETIMEOUT') first = outcome
        // What has answered answers the same again.
        if (codeOf(outcome) !== 'ETIMEOUT') left.delete(server)
      }
    throw first ?? failure('ETIMEOUT', 'no name server to ask')
  }

  async #try(server: ServiceHost, question: Numbered, { cancel, ms }: { cancel: Cancel; ms: number }): Promise<DnsAnswer<DnsType> | Error> {
    const step = cancel.step(ms)
    try {
      const packet =
        (await this.#packet(server, question, step.cancel)) ?? (await this.#packet(server, { ...question, plain: true }, step.cancel))
      return packet === null ? failure('EFORMERR', 'the name server refuses the form of the question') : read(packet, question)
    } catch (error) {
      const { reason } = cancel
      if (reason !== null) throw new Stopped(reason)
      if (error instanceof Stopped) return failure('ETIMEOUT', 'no answer in time')
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      step.done()
    }
  }

  /** The answer read; null from a server that does not know EDNS (RFC 6891 7). */
  async #packet(server: ServiceHost, { name, number, unchecked, plain = false }: Numbered, cancel: Cancel): Promise<DecodedPacket | null> {
    const question = new DnsQuestion(name, number, { edns: !plain, unchecked })
    const byTcp = (): Promise<Buffer> => askByTcp(server, question, { sockets: this.#sockets, cancel })
    let message: Buffer
    try {
      message = await askByUdp(server, question, cancel)
      if (isTruncated(message)) message = await byTcp()
    } catch (error) {
      if (codeOf(error) !== 'ESTRAYS') throw error
      message = await byTcp()
    }
    const packet = readMessage(message)
    if (packet === null) throw failure('EBADRESP', 'a malformed answer')
    return responseCode(packet) === FORMERR ? null : packet
  }
}

interface Asked {
  readonly name: string
  readonly type: DnsType
  /** The name server shall not validate. */
  readonly unchecked: boolean
}

interface Numbered extends Asked {
  readonly number: number
  /** Without EDNS. */
  readonly plain?: boolean
}

/** What a packet says of a question, or the error it is. */
function read(packet: DecodedPacket, { name, type }: Asked): DnsAnswer<DnsType> | Error {
  const code = responseCode(packet)
  if (code !== NOERROR && code !== NXDOMAIN) return failure(FAILURES.get(code) ?? 'EBADRESP', `response code ${code}`)
  const answers = packet.answers ?? []
  const aliases = type === 'CNAME' ? [] : aliasesOf(packet, name)
  const owners = new Set([name, ...aliases].map((each) => each.toLowerCase()))
  // The library has names for more types than we know: the one it read in the question is the one asked for.
  const wanted: string | undefined = packet.questions?.[0]?.type
  const records = answers.flatMap((record) =>
    record.type === wanted && record.type !== 'OPT' && owners.has(plain(record.name).toLowerCase())
      ? [{ name: record.name, ttl: record.ttl ?? 0, data: answerOf<string>(dataOf(record, type)) }]
      : [],
  )
  return { status: code === NXDOMAIN ? 'NXDOMAIN' : 'NOERROR', records, aliases, authenticated: packet.flag_ad }
}

/** Where the CNAME records lead from a name, in order; a loop ends it. */
function aliasesOf({ answers = [] }: DecodedPacket, name: string): readonly string[] {
  const targets = new Map<string, string>()
  for (const record of answers) if (record.type === 'CNAME') targets.set(plain(record.name).toLowerCase(), record.data)
  const aliases: string[] = []
  for (let next = targets.get(name.toLowerCase()); next !== undefined; next = targets.get(next.toLowerCase())) {
    if (aliases.includes(next) || aliases.length >= MOST_ALIASES) break
    aliases.push(next)
  }
  return aliases
}

/** The root has an empty name here. */
function plain(name: string): string {
  return name === '.' ? '' : name
}
