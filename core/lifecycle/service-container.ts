import 'reflect-metadata'
import { container as root, type DependencyContainer } from 'tsyringe'
import type { Log } from '../runtime/log-events.js'
import { closeInOrder, type ClosingStep } from './closing.js'

interface Lifecycle<S, T> {
  /** Runs when all services are made, in the order of registration. */
  start?(services: S): unknown
  /** Ends what the service does by itself, before the gateway waits for running calls. */
  stop?(service: T): void
  /** Runs in the reverse order of registration, if the service was made. */
  close?(service: T, services: S): unknown
  /** The earlier service at the same time as which it is closed. */
  readonly closeWith?: keyof S & string
}

/**
 * How a service of type T is made from the others, started and closed. `make` runs at the first use of the service;
 * `open` runs at the start, in the order of registration, and the service can be used from then on.
 */
type Definition<S, T> = Lifecycle<S, T> & ({ make(services: S): T } | { open(services: S): Promise<T> })

/** The definitions of services by token, without those given to the container. A function is a `make`. */
export type Definitions<S, Given extends keyof S = never> = {
  readonly [Token in Exclude<keyof S, Given>]: ((services: S) => S[Token]) | Definition<S, S[Token]>
}

/** Token of the object that has the services of a container as properties. */
const SERVICES = Symbol('services')

/** The services of one gateway: each made once, started in the order of registration and closed in the reverse one. */
export class ServiceContainer<S extends object, Given extends keyof S = never> {
  /** Every service by its token, resolved at the first use. */
  readonly services: S
  readonly #container: DependencyContainer
  readonly #definitions = new Map<string, Definition<S, unknown>>()
  readonly #made = new Map<string, unknown>()

  /** `given`: services without a definition, and those that replace a defined one in the child container. */
  constructor(definitions: Definitions<S, Given>, given: Partial<S> & Pick<S, Given>) {
    const defined = root.createChildContainer()
    this.#container = defined.createChildContainer()
    this.#container.register(SERVICES, { useValue: {} })
    this.services = this.#container.resolve<S>(SERVICES)
    for (const name of keysOf(definitions)) {
      const found = definitions[name]
      const definition: Definition<S, unknown> = typeof found === 'function' ? { make: found } : found
      this.#definitions.set(name, definition)
      this.#resolveLazily(name)
      if ('make' in definition) defined.register(name, { useFactory: (own) => definition.make(own.resolve<S>(SERVICES)) })
    }
    for (const name of keysOf(given)) {
      if (given[name] === undefined) continue
      this.#give(name, given[name])
      this.#resolveLazily(name)
    }
  }

  /** Defines the property of a token: a getter until the first use, then the service, since a call reads dozens of them. */
  #resolveLazily(name: string): void {
    const get = (): unknown => {
      const value = this.#container.resolve<unknown>(name)
      this.#made.set(name, value)
      Object.defineProperty(this.services, name, { value })
      return value
    }
    Object.defineProperty(this.services, name, { get, configurable: true, enumerable: true })
  }

  /** Registers a service that exists, with a factory, because tsyringe takes no null as a value. */
  #give(name: string, service: unknown): void {
    this.#container.register(name, { useFactory: () => service })
  }

  /** Opens, makes and starts all services. If it rejects, `stop` and `close` still apply to those made until then. */
  async start(): Promise<void> {
    for (const [name, definition] of this.#definitions) {
      if (!('open' in definition)) continue
      if (!this.#container.isRegistered(name)) this.#give(name, await definition.open(this.services))
      Reflect.get(this.services, name)
    }
    for (const name of this.#definitions.keys()) Reflect.get(this.services, name)
    for (const definition of this.#definitions.values()) await definition.start?.(this.services)
  }

  stop(): void {
    for (const [name, service] of this.#made) this.#definitions.get(name)?.stop?.(service)
  }

  /** Closes the services that were made. A failure is logged and keeps no other service open. */
  async close(log: Log): Promise<void> {
    const groups = new Map<string, string[]>()
    for (const [name, definition] of this.#definitions) {
      if (definition.close === undefined || !this.#made.has(name)) continue
      const first = definition.closeWith ?? name
      groups.set(first, [...(groups.get(first) ?? []), name])
    }
    const close = async (name: string): Promise<unknown> => await this.#definitions.get(name)?.close?.(this.#made.get(name), this.services)
    const steps = [...groups.values()].map((names): ClosingStep => [names.join(', '), () => Promise.all(names.map(close))])
    await closeInOrder(steps.toReversed(), log)
    await this.#container.dispose()
  }
}

function keysOf<T extends object>(given: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in given) keys.push(key)
  return keys
}
