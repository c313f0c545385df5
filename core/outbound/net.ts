import type { Socket } from 'node:net'
import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { Fault, type Certificate, type PublicAddress } from '../sdk/index.js'
import { bareHost } from './allow.js'
import { certificateOf } from './certificate.js'
import type { Connector, Target } from './connector.js'
import { ask, unlessCancelled } from './dns.js'
import { portOf, type Guard } from './guard.js'
import { askerOf } from './name-queue.js'
import type { NameServers } from './name-servers.js'
import { Throttle } from './throttle.js'
import type { Net } from './types.js'
import { ownLack } from '../own-lack.js'
import { registeredDomain } from './registered-domain.js'
import { targetFault } from './target-fault.js'

export interface NetDeps {
  readonly guard: Guard
  readonly dialer: Connector
  readonly names: NameServers
  readonly clock: Clock
}

/** Names, certificates and plain connections of foreign hosts; paced, so that nobody can aim this gateway at one of them. */
export class GuardedNet implements Net {
  readonly #guard: Guard
  readonly #dialer: Connector
  readonly #names: NameServers
  readonly #connections: Throttle
  readonly #questions: Throttle

  constructor({ guard, dialer, names, clock }: NetDeps) {
    this.#guard = guard
    this.#dialer = dialer
    this.#names = names
    this.#connections = new Throttle({ atOnce: 2, perSecond: 5 }, clock)
    this.#questions = new Throttle({ atOnce: 20, perSecond: 60 }, clock)
  }

  async dns(name: string, type: string, cancel: Cancel): Promise<unknown[]> {
    try {
      return await this.#questions.run(registeredDomain(name), cancel, () => ask(this.#names, name, type, cancel))
    } catch (error) {
      throw ownLack(error) ?? targetFault(error, 0)
    }
  }

  /** The certificate a host shows for its own name; an untrusted one is reported, not refused. */
  tls(host: string, port: number, cancel: Cancel): Promise<Certificate> {
    const target: Target = { host, port, trust: 'web', asker: askerOf(cancel) }
    return this.#paced(target, cancel, async () => {
      const socket = await leaving(this.#dialer.dialTls(target, { strict: false }), cancel)
      const certificate = certificateOf(socket)
      socket.destroy()
      if (certificate === null) throw new Fault('missing', 'the host shows no certificate')
      return certificate
    })
  }

  /** An address that a program will open by itself, and the checked addresses of its host. */
  async assertPublic(text: string, cancel: Cancel): Promise<PublicAddress> {
    try {
      const url = this.#guard.url(text)
      const addresses = await unlessCancelled(this.#guard.addresses(url.hostname, portOf(url), 'web', askerOf(cancel)), cancel)
      return { url: url.href, addresses }
    } catch (error) {
      throw ownLack(error) ?? targetFault(error, 0)
    }
  }

  /** A connection to the mail or whois port of a host; the caller closes it. */
  connect(host: string, port: number, cancel: Cancel): Promise<Socket> {
    const target: Target = { host, port, trust: 'probe', asker: askerOf(cancel) }
    return this.#paced(target, cancel, () => leaving(this.#dialer.dial(target), cancel))
  }

  async #paced<T>({ host, port }: Target, cancel: Cancel, work: () => Promise<T>): Promise<T> {
    try {
      return this.#guard.exempt(host, port) ? await work() : await this.#connections.run(bareHost(host).toLowerCase(), cancel, work)
    } catch (error) {
      throw ownLack(error) ?? targetFault(error, 0)
    }
  }
}

/** The socket, unless the call is over first; one that comes too late is closed. */
function leaving<S extends Socket>(dialling: Promise<S>, cancel: Cancel): Promise<S> {
  const waiting = unlessCancelled(dialling, cancel)
  waiting.catch(() =>
    dialling.then(
      (socket) => socket.destroy(),
      () => undefined,
    ),
  )
  return waiting
}
