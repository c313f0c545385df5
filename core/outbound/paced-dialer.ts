import { isIP, type Socket } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { canonical } from './address.js'
import { bareHost } from './allow.js'
import type { Connector, Target } from './connector.js'
import { unlessCancelled } from './dns.js'
import type { Guard } from './guard.js'
import { Throttle } from './throttle.js'

/** Most addresses of one kind to try: each occupies a slot. */
const ADDRESSES_OF_KIND = 2

/**
 * Connections to probed targets: 5 a second and 2 at once, counted by name and by each of its addresses, so that many names of one address
 * share its limit. Hosts that the operator allowed are exempt.
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

  /** A connected socket, whose slots are released when it closes. Rejects as Connector.dial and Throttle.take do. */
  async dial(target: Target, cancel: Cancel): Promise<Socket> {
    const { host, port } = target
    const name = bareHost(host).toLowerCase()
    const slots: (() => void)[] = []
    const release = (): void => {
      for (const free of slots.splice(0)) free()
    }
    try {
      if (isIP(name) === 0 && !this.#guard.exempt(host, port)) slots.push(await this.#pace.take(`host ${name}`, cancel))
      const addresses = few(await unlessCancelled(this.#dialer.find(target), cancel))
      for (const key of this.#keys(target, addresses)) slots.push(await this.#pace.take(key, cancel))
      const socket = await socketUnlessStopped(this.#dialer.reach(target, addresses), cancel)
      if (socket.closed) release()
      else socket.once('close', release)
      return socket
    } catch (error) {
      release()
      throw error
    }
  }

  /** Sorted, so that two targets never wait for each other's slots. */
  #keys({ host, port }: Target, addresses: readonly string[]): readonly string[] {
    if (this.#guard.exempt(host, port)) return []
    const limited = addresses.filter((address) => !this.#guard.exempt(address, port))
    return [...new Set(limited.map((address) => `address ${canonical(address) ?? address}`))].sort()
  }
}

function few(addresses: readonly string[]): readonly string[] {
  return [4, 6].flatMap((kind) => addresses.filter((address) => isIP(address) === kind).slice(0, ADDRESSES_OF_KIND))
}

/** The socket, unless the call ends first; a socket that connects later is closed. */
function socketUnlessStopped(dialling: Promise<Socket>, cancel: Cancel): Promise<Socket> {
  const waiting = unlessCancelled(dialling, cancel)
  waiting.catch(() =>
    dialling.then(
      (socket) => socket.destroy(),
      () => undefined,
    ),
  )
  return waiting
}
