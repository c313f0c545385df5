import type { DecodedPacket } from 'dns-packet'
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { codeOf } from '../problems/own-shortage.js'
import type { Cancel } from '../runtime/cancel.js'
import { answerOf, type DnsAnswer, type DnsData, type DnsType, Fault, type QueryOptions } from '../sdk/index.js'
import { dataOf } from './dns-data.js'
import { QueryMessage, isTruncated, readMessage, responseCode } from './dns-message.js'
import { plainName, unlessCancelled } from './dns.js'
import { RequestStopped } from './exchange.js'
import type { NameServers, ServiceHost } from './name-servers.js'
import { nameFault } from './resolver.js'
import type { Sockets } from './sockets.js'

/** Numbers of record types (IANA, DNS parameters). */
const NUMBERS: Readonly<Record<keyof DnsData, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DNAME: 39,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
}
const OPT = 41
/** Query types such as zone transfers and `ANY` (RFC 6895 3.1). */
const META = { first: 128, last: 255 } as const

/** The number of a type. Throws Fault `broken` for one that cannot be queried. */
function typeNumber(type: DnsType): number {
  const known = new Map<string, number>(Object.entries(NUMBERS))
  const number = known.get(type) ?? Number(/^TYPE(\d{1,5})$/.exec(type)?.[1] ?? NaN)
  const named = [...known].find(([name, each]) => each === number && name !== type)
  if (named !== undefined) throw cannot(type, `its name is ${named[0]}`)
  if (!(number > 0 && number <= 0xffff) || number === OPT || (number >= META.first && number <= META.last))
    throw cannot(type, `known: ${[...known.keys()].join(', ')} and TYPE with a number`)
  return number
}

function cannot(type: string, internal: string): Fault {
  return new Fault('broken', `records of type ${type} cannot be queried`, { internal })
}

/** Longest time of a query over all servers, in milliseconds. */
const QUERY_MS = 6_000
const MOST_ALIASES = 16
const NOERROR = 0
const FORMERR = 1
const NXDOMAIN = 3
/** Response codes of a server that failed (RFC 6895 2.3), as error codes of c-ares. */
const FAILURES: ReadonlyMap<number, string> = new Map([
  [FORMERR, 'EFORMERR'],
  [2, 'ESERVFAIL'],
  [4, 'ENOTIMP'],
  [5, 'EREFUSED'],
])

/** Queries name servers directly, for every record type and with their DNSSEC verdict. */
export class DnsClient {
  readonly #servers: NameServers
  readonly #sockets: Sockets

  constructor(servers: NameServers, sockets: Sockets) {
    this.#servers = servers
    this.#sockets = sockets
  }

  /**
   * Rejects with a Fault: `missing` for an invalid name, `blocked` and `unavailable` when no server had an answer, caused by
   * EAI_AGAIN when none responds at all; with RequestStopped when cancelled.
   */
  async resolve<T extends DnsType>(name: string, type: T, cancel: Cancel, { unchecked = false }: QueryOptions = {}): Promise<DnsAnswer<T>> {
    const query = { name: name === '.' ? '' : plainName(name), type, unchecked }
    const step = cancel.step(Infinity)
    const attempt = (onAway: (listener: () => void) => void): Promise<DnsAnswer<DnsType>> => {
      onAway(() => step.cancel.cancel('over'))
      return this.#query(query, step.cancel)
    }
    try {
      return answerOf<DnsAnswer<T>>(await unlessCancelled(this.#servers.health.watch(attempt), cancel))
    } catch (error) {
      throw error instanceof RequestStopped || Fault.is(error)
        ? error
        : nameFault(error, { name: query.name, unanswered: 'the name servers had no answer' })
    } finally {
      step.done()
    }
  }

  async #query(query: LookupQuery, cancel: Cancel): Promise<DnsAnswer<DnsType>> {
    const number = typeNumber(query.type)
    const { servers, timeoutMs, rounds } = this.#servers.plan
    const share = Math.min(timeoutMs, Math.floor(QUERY_MS / (servers.length * rounds)))
    const left = new Set(servers)
    let first: Error | null = null
    for (let round = 0; round < rounds; round++)
      for (const server of left) {
        const outcome = await this.#try(server, { ...query, number }, { cancel, ms: share })
        if (!(outcome instanceof Error)) return outcome
        if (first === null || codeOf(first) === 'ETIMEOUT') first = outcome
        // A server that has answered would give the same answer again.
        if (codeOf(outcome) !== 'ETIMEOUT') left.delete(server)
      }
    throw first ?? failure('ETIMEOUT', 'no name server is configured')
  }

  async #try(
    server: ServiceHost,
    query: NumberedQuery,
    { cancel, ms }: { cancel: Cancel; ms: number },
  ): Promise<DnsAnswer<DnsType> | Error> {
    const step = cancel.step(ms)
    try {
      const packet =
        (await this.#packet(server, query, step.cancel)) ?? (await this.#packet(server, { ...query, plain: true }, step.cancel))
      return packet === null ? failure('EFORMERR', 'the name server refuses the form of the query') : read(packet, query)
    } catch (error) {
      const { reason } = cancel
      if (reason !== null) throw new RequestStopped(reason)
      if (error instanceof RequestStopped) return failure('ETIMEOUT', 'no answer in time')
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      step.done()
    }
  }

  /** The decoded answer; null from a server without EDNS (RFC 6891 7). */
  async #packet(
    server: ServiceHost,
    { name, number, unchecked, plain = false }: NumberedQuery,
    cancel: Cancel,
  ): Promise<DecodedPacket | null> {
    const message = new QueryMessage(name, number, { edns: !plain, unchecked })
    const byTcp = (): Promise<Buffer> => queryByTcp(server, message, { sockets: this.#sockets, cancel })
    let reply: Buffer
    try {
      reply = await queryByUdp(server, message, cancel)
      if (isTruncated(reply)) reply = await byTcp()
    } catch (error) {
      if (codeOf(error) !== 'ESTRAYS') throw error
      reply = await byTcp()
    }
    const packet = readMessage(reply)
    if (packet === null) throw failure('EBADRESP', 'a malformed answer')
    return responseCode(packet) === FORMERR ? null : packet
  }
}

interface LookupQuery {
  readonly name: string
  readonly type: DnsType
  /** Disables DNSSEC validation by the name server (CD). */
  readonly unchecked: boolean
}

interface NumberedQuery extends LookupQuery {
  readonly number: number
  /** Without EDNS. */
  readonly plain?: boolean
}

/** The answer in a packet, or the error that it reports. */
function read(packet: DecodedPacket, { name, type }: LookupQuery): DnsAnswer<DnsType> | Error {
  const code = responseCode(packet)
  if (code !== NOERROR && code !== NXDOMAIN) return failure(FAILURES.get(code) ?? 'EBADRESP', `response code ${code}`)
  const answers = packet.answers ?? []
  const aliases = type === 'CNAME' ? [] : aliasesOf(packet, name)
  const owners = new Set([name, ...aliases].map((each) => each.toLowerCase()))
  // The library names more types than we do: its name of the type in the question is that of the records.
  const wanted: string | undefined = packet.questions?.[0]?.type
  const records = answers.flatMap((record) =>
    record.type === wanted && record.type !== 'OPT' && owners.has(plain(record.name).toLowerCase())
      ? [{ name: record.name, ttl: record.ttl ?? 0, data: answerOf<string>(dataOf(record, type)) }]
      : [],
  )
  return { status: code === NXDOMAIN ? 'NXDOMAIN' : 'NOERROR', records, aliases, authenticated: packet.flag_ad }
}

/** The targets of the CNAME records from a name, in order; a loop ends them. */
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

/** A name without its trailing dot; the root is empty. */
function plain(name: string): string {
  return name === '.' ? '' : name
}

/** So many datagrams that do not match the query indicate spoofing: TCP is used instead. */
const MOST_STRAYS = 16
/** Longer answers are refused, since they are decoded on the event loop. */
const LONGEST = 16_384

/** The answer by UDP, through a port that the system chose. Rejects with ESTRAYS after too many mismatched datagrams, with RequestStopped, or with the socket's error. */
export function queryByUdp({ host, port }: ServiceHost, query: QueryMessage, cancel: Cancel): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    let strays = 0
    let settled = false
    // No removeAllListeners: a socket that is still binding closes itself by a listener of its own.
    const settle = (after: () => void): void => {
      if (settled) return
      settled = true
      forget()
      socket.close()
      after()
    }
    socket.on('error', (error) => settle(() => reject(error)))
    socket.on('message', (message) => {
      if (query.fits(message)) settle(() => resolve(message))
      else if (++strays >= MOST_STRAYS) settle(() => reject(failure('ESTRAYS', 'too many datagrams that do not match the query')))
    })
    // Connected, so that the system drops datagrams of other hosts and reports a closed port.
    socket.connect(port, host, () => {
      if (!settled) socket.send(query.message)
    })
    const forget = onceStopped(cancel, (error) => settle(() => reject(error)))
  })
}

/** The answer by TCP (RFC 7766). Rejects with EBADRESP for one that does not match or is too long, with RequestStopped, or with the socket's error. */
function queryByTcp(
  { host, port }: ServiceHost,
  query: QueryMessage,
  { sockets, cancel }: { sockets: Sockets; cancel: Cancel },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = sockets.open({ host, port, noDelay: true })
    let received: Buffer = Buffer.alloc(0)
    const settle = (after: () => void): void => {
      forget()
      socket.destroy()
      after()
    }
    const fail = (error: Error): void => settle(() => reject(error))
    socket.on('error', fail)
    socket.on('close', () => fail(failure('EBADRESP', 'the name server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2) return
      const length = received.readUInt16BE(0)
      if (length > LONGEST) return fail(failure('EBADRESP', `an answer of more than ${LONGEST} bytes`))
      if (received.length < length + 2) return
      const message = received.subarray(2, length + 2)
      if (query.fits(message)) settle(() => resolve(message))
      else fail(failure('EBADRESP', 'an answer to another query'))
    })
    const head = Buffer.alloc(2)
    head.writeUInt16BE(query.message.length)
    socket.write(Buffer.concat([head, query.message]))
    const forget = onceStopped(cancel, fail)
  })
}

/** A resolver error with a code of c-ares. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** As Cancel.onCancel, but the listener never runs before this returns. */
function onceStopped(cancel: Cancel, listener: (error: Error) => void): () => void {
  const { reason } = cancel
  if (reason === null) return cancel.onCancel((each) => listener(new RequestStopped(each)))
  queueMicrotask(() => listener(new RequestStopped(reason)))
  return () => undefined
}
