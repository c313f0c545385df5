import { isIP, type Socket } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { canonical } from './address.js'
import { bareHost } from './allow.js'
import type { Connector, Target } from './connector.js'
import { unlessCancelled } from './dns.js'
import type { Guard } from './guard.js'
import { Throttle } from './throttle.js'

/** More addresses of one kind are not tried: a place is taken for each of them. */
const ADDRESSES_OF_KIND = 2

/**
 * Connections to probed targets: 5 a second and 2 at once, counted by name and by each address it has, so that many names of one address get no
 * more than it. What the operator allowed is exempt.
 */
export class PacedDialer {
  readonly #guard: Guard
  readonly #dialer: Connector
  readonly #pace: Throttle

  constructor({ guard, dialer, clock }: { readonly guard: Guard; readonly dialer: Connector; readonly clock: Clock }) {
    this.#guard = guard
    this.#dialer = dialer
    this.#pace = new Throttle({ atOnce: 2, perSecond: 5 }, clock)
  }

  /** A connected socket, whose places are given back when it closes. Rejects as Connector.dial and Throttle.take do. */
  async dial(target: Target, cancel: Cancel): Promise<Socket> {
    const { host, port } = target
    const name = bareHost(host).toLowerCase()
    const places: (() => void)[] = []
    const release = (): void => {
      for (const place of places.splice(0)) place()
    }
    try {
      if (isIP(name) === 0 && !this.#guard.exempt(host, port)) places.push(await this.#pace.take(`host ${name}`, cancel))
      const addresses = few(await unlessCancelled(this.#dialer.find(target), cancel))
      for (const key of this.#keys(target, addresses)) places.push(await this.#pace.take(key, cancel))
      const socket = await leaving(this.#dialer.reach(target, addresses), cancel)
      if (socket.closed) release()
      else socket.once('close', release)
      return socket
    } catch (error) {
      release()
      throw error
    }
  }

  /** In one order for all, so that two targets never wait for each other's places. */
  #keys({ host, port }: Target, addresses: readonly string[]): readonly string[] {
    if (this.#guard.exempt(host, port)) return []
    const strangers = addresses.filter((address) => !this.#guard.exempt(address, port))
    return [...new Set(strangers.map((address) => `address ${canonical(address) ?? address}`))].sort()
  }
}

function few(addresses: readonly string[]): readonly string[] {
  return [4, 6].flatMap((kind) => addresses.filter((address) => isIP(address) === kind).slice(0, ADDRESSES_OF_KIND))
}

/** The socket, unless the call is over first; one that comes too late is closed. */
function leaving(dialling: Promise<Socket>, cancel: Cancel): Promise<Socket> {
  const waiting = unlessCancelled(dialling, cancel)
  waiting.catch(() =>
    dialling.then(
      (socket) => socket.destroy(),
      () => undefined,
    ),
  )
  return waiting
}
