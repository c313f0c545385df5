import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock, type Clock } from '../../core/runtime/clock.js'
import { AllowList } from '../../core/outbound/allow.js'
import { VendorApi } from '../../core/outbound/api.js'
import { Connector, UpstreamProxy } from '../../core/outbound/connector.js'
import { Guard } from '../../core/outbound/guard.js'
import type { RequestFacts } from '../../core/outbound/types.js'
import { GuardedNet } from '../../core/outbound/net.js'
import type { VendorAccess } from '../../core/sdk/host.js'
import { LocalProxy } from '../../core/outbound/proxy.js'
import { NameServers, readServiceHost, SYSTEM_NAMES, type SystemNames } from '../../core/outbound/name-servers.js'
import { Resolver } from '../../core/outbound/resolver.js'
import { LimitByKey } from '../../core/outbound/throttle.js'
import { Sockets } from '../../core/outbound/sockets.js'
import { GuardedWeb } from '../../core/outbound/web.js'
import { ProxyPort } from './proxy-port.js'
import type { Log } from '../../core/runtime/log-events.js'
import { Fault, type Vendor } from '../../core/sdk/index.js'

export interface KitOptions {
  readonly allow?: readonly string[]
  readonly dns?: string | null
  /** Files and resolver of a system of the test's own. */
  readonly system?: Partial<SystemNames>
  /** Ports of strangers; a test gives its canary's, so that the address alone decides. */
  readonly ports?: readonly number[]
  readonly proxy?: string
  readonly perHost?: number
  readonly clock?: Clock
  readonly proxyBytes?: number
  readonly namedOrigins?: number
  readonly smtpPort?: number
  /** `host:port` */
  readonly whois?: string
  readonly sockets?: Sockets
  readonly log?: Log
}

/** The parts of the outbound module, wired as `createOutbound` does, with the ports of strangers open to choice. */
export function outboundKit(options: KitOptions = {}) {
  const clock = options.clock ?? systemClock
  const system = { ...SYSTEM_NAMES, ...options.system }
  const names = new NameServers(options.dns ?? null, clock, system, options.log)
  const resolver = new Resolver(names, clock, system)
  const guard = new Guard(new AllowList(options.allow ?? []), resolver, new Set(options.ports ?? [80, 443]), options.smtpPort)
  const sockets = options.sockets ?? new Sockets()
  const dialer = new Connector(guard, sockets, options.proxy === undefined ? null : new UpstreamProxy(options.proxy, guard, sockets))
  const perHost = new LimitByKey(clock, options.perHost ?? 8)
  const facts: RequestFacts[] = []
  const hooks = { onRequest: (fact: RequestFacts): void => void facts.push(fact) }
  const userAgent = 'capstan-test'
  const api = new VendorApi({
    dialer,
    clock,
    userAgent,
    hooks,
    ...(options.namedOrigins === undefined ? {} : { namedOrigins: options.namedOrigins }),
  })
  const web = new GuardedWeb({ guard, dialer, clock, perHost, userAgent, hooks })
  const proxy = new LocalProxy({ guard, dialer, hooks, maxBytes: options.proxyBytes ?? 64 << 20 })
  const net = new GuardedNet({
    guard,
    dialer,
    names,
    sockets,
    clock,
    smtpPort: options.smtpPort ?? 25,
    whois: options.whois === undefined ? null : readServiceHost(options.whois, 'net.whois', 43),
  })
  const port = new ProxyPort()
  const close = async (): Promise<void> => {
    await Promise.all([api.close(), web.close(), proxy.close(), net.close()])
    await port.close()
  }
  return { names, resolver, guard, sockets, dialer, perHost, facts, api, web, proxy, proxyPort: () => port.open(proxy), net, close }
}

export type OutboundKit = ReturnType<typeof outboundKit>

/** A stop signal with so much time, which nothing but the test stops. */
export function cancelIn(ms = 8_000, clock: Clock = systemClock): Cancel {
  return new Cancel(clock, clock.monotonic() + ms)
}

/** The Fault that work ends with; fails when it succeeds or ends with anything else. */
export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && Fault.is(outcome.error)) return outcome.error
  throw new Error(`expected a Fault, got ${'error' in outcome ? String(outcome.error) : 'a result'}`, {
    cause: 'error' in outcome ? outcome.error : undefined,
  })
}

/** A vendor of the operator's own at an address. */
export function accessTo(baseUrl: string, vendor: Partial<Vendor> = {}, more: Partial<VendorAccess> = {}): VendorAccess {
  return {
    vendor: { id: 'acme', title: 'Acme', ...vendor },
    baseUrl,
    operatorUrl: true,
    secret: (name) => `canary-${name}-0123456789`,
    settings: {},
    ...more,
  }
}

/** A clock that moves when the test says so. */
export class HandClock implements Clock {
  #time = 0
  #jumped = 0
  readonly #timers = new Set<{ at: number; every: number | null; callback: () => void }>()

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#time + this.#jumped
  }

  monotonic(): number {
    return this.#time
  }

  after(ms: number, callback: () => void): () => void {
    return this.#add(ms, null, callback)
  }

  every(ms: number, callback: () => void): () => void {
    return this.#add(ms, ms, callback)
  }

  advance(ms: number): void {
    this.#time += ms
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#time) continue
      if (timer.every === null) this.#timers.delete(timer)
      else timer.at = this.#time + timer.every
      timer.callback()
    }
  }

  /** Sets the wall clock by so much; no timer goes by it. */
  jump(ms: number): void {
    this.#jumped += ms
  }

  #add(ms: number, every: number | null, callback: () => void): () => void {
    const timer = { at: this.#time + ms, every, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }
}
