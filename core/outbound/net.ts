import type { Socket } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import {
  Fault,
  type Certificate,
  type ConnectOptions,
  type DnsAnswer,
  type DnsType,
  type LineSocket,
  type PublicAddress,
  type QueryOptions,
  type TlsInspection,
} from '../sdk/index.js'
import { certificateOf, handshake, type Sockets } from './sockets.js'
import type { Connector, Target } from './connector.js'
import { query, unlessCancelled } from './dns.js'
import { DnsClient } from './dns-client.js'
import { portOf, type Guard } from './guard.js'
import { KeptSockets, type Keeping } from './kept-sockets.js'
import { PulledLines } from './line-socket.js'
import { registeredDomain, requesterOf } from './name-queue.js'
import type { NameServers, ServiceHost } from './name-servers.js'
import { PacedDialer } from './paced-dialer.js'
import { Throttle } from './throttle.js'
import { inspectTls } from './tls-inspection.js'
import type { Net } from './types.js'
import { ownShortage } from '../problems/own-shortage.js'
import { targetFault } from './target-fault.js'

const CONNECT_DEFAULTS = { timeoutMs: 30_000, maxBytes: 1 << 20, maxLine: 4_096 } as const
const SMTP_PORT = 25

interface NetDeps {
  readonly guard: Guard
  readonly dialer: Connector
  readonly names: NameServers
  readonly sockets: Sockets
  readonly clock: Clock
  /** Used instead of port 25. */
  readonly smtpPort: number
  /** The WHOIS server to query first, or null. */
  readonly whois: ServiceHost | null
}

interface Left {
  readonly socket: Socket
  readonly left: Socket
  readonly done: () => void
}

/** Names, certificates and plain connections of foreign hosts; rate-limited, so that the gateway cannot be used to flood one of them. */
export class GuardedNet implements Net {
  readonly #guard: Guard
  readonly #names: NameServers
  readonly #dialer: PacedDialer
  readonly #dns: DnsClient
  readonly #queries: Throttle
  readonly #smtpPort: number
  readonly #whois: ServiceHost | null
  readonly #kept: KeptSockets

  constructor({ guard, dialer, names, sockets, clock, smtpPort, whois }: NetDeps) {
    this.#guard = guard
    this.#names = names
    this.#dialer = new PacedDialer({ guard, dialer, clock })
    this.#dns = new DnsClient(names, sockets)
    this.#queries = new Throttle({ atOnce: 20, perSecond: 60, burst: 60 }, clock)
    this.#smtpPort = smtpPort
    this.#whois = whois
    this.#kept = new KeptSockets(clock)
  }

  dns(name: string, type: string, cancel: Cancel): Promise<unknown[]> {
    return asFault(() => this.#queries.run(registeredDomain(name), cancel, () => query(this.#names, name, type, cancel)))
  }

  query<T extends DnsType>(name: string, type: T, cancel: Cancel, options: QueryOptions = {}): Promise<DnsAnswer<T>> {
    return asFault(() => this.#queries.run(registeredDomain(name), cancel, () => this.#dns.resolve(name, type, cancel, options)))
  }

  /** The certificate that a host presents for its own name; an untrusted one is returned, not refused. */
  tls(host: string, port: number, cancel: Cancel): Promise<Certificate> {
    return asFault(async () => {
      const plain = await this.#dialer.dial(webTarget(host, port, cancel), cancel)
      try {
        const socket = await unlessCancelled(handshake(plain, host, { strict: false }), cancel)
        const certificate = certificateOf(socket)
        if (certificate === null) throw new Fault('missing', 'the host presents no certificate')
        return certificate
      } finally {
        plain.destroy()
      }
    })
  }

  /** A URL that a program will open by itself, and the checked addresses of its host. */
  assertPublic(text: string, cancel: Cancel): Promise<PublicAddress> {
    return asFault(async () => {
      const url = this.#guard.url(text)
      const addresses = await unlessCancelled(this.#guard.addresses(url.hostname, portOf(url), 'web', requesterOf(cancel)), cancel)
      return { url: url.href, addresses }
    })
  }

  inspectTls(host: string, port: number, cancel: Cancel): Promise<TlsInspection> {
    return asFault(() => inspectTls(host, () => this.#dialer.dial(webTarget(host, port, cancel), cancel), cancel))
  }

  /** A line connection to a mail or WHOIS server, until it is closed, its time is over or the call ends. */
  async connect(host: string, port: number, options: ConnectOptions, cancel: Cancel): Promise<LineSocket> {
    const { timeoutMs, maxBytes, maxLine, session } = { ...CONNECT_DEFAULTS, ...options }
    const target = this.#target(host, port, { ...options, cancel })
    const name = session === undefined ? null : `${session} ${target.host}:${target.port}`
    const { cancel: step, done } = cancel.step(timeoutMs)
    try {
      const kept = name === null ? null : this.#kept.take(name)
      const socket = kept?.socket ?? (await asFault(() => this.#dialer.dial(target, step)))
      socket.once('close', done)
      return new PulledLines(socket, {
        ...{ host: target.host, port: target.port, maxBytes, maxLine, cancel: step, resumed: kept?.state ?? null },
        ...(name === null ? {} : { onKeep: (left, keeping) => this.#keep(name, { socket, left, done }, keeping) }),
      })
    } catch (error) {
      done()
      throw error
    }
  }

  /** Closes the connections that calls have left open. */
  close(): Promise<void> {
    return this.#kept.close()
  }

  /** `left` is `socket`, or the TLS socket over it. */
  #keep(name: string, { socket, left, done }: Left, keeping: Keeping): void {
    socket.off('close', done)
    done()
    this.#kept.put(name, left, keeping)
  }

  #target(host: string, port: number, { firstWhois = false, cancel }: { firstWhois?: boolean; cancel: Cancel }): Target {
    if (firstWhois && this.#whois !== null) return { ...this.#whois, trust: 'operator' }
    return { host, port: port === SMTP_PORT ? this.#smtpPort : port, trust: 'probe', requester: requesterOf(cancel) }
  }
}

function webTarget(host: string, port: number, cancel: Cancel): Target {
  return { host, port, trust: 'web', requester: requesterOf(cancel) }
}

async function asFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw ownShortage(error) ?? targetFault(error, 0)
  }
}
