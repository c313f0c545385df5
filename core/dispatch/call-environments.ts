import type { HeldRegistry, Registry } from '../loader/types.js'
import type { Environment } from './environment.js'
import { EnvironmentPorts } from './ports.js'

/** One call's environment, valid until `end`. */
export interface CallEnvironment {
  readonly environment: Environment
  readonly end: () => void
}

/** The environments of calls: a call keeps the registry it began with across reloads and changes of order. */
export class CallEnvironments {
  readonly #environment: Environment
  /** One for each registry: shared, because it is as large as everything else that a call allocates. */
  readonly #known = new WeakMap<Registry, Environment>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The environment of one call, valid until `end`. Background work keeps the same registry by `begin`. */
  begin(): CallEnvironment {
    const held = this.#environment.begin()
    return { environment: this.#known.get(held.registry) ?? this.#made(held), end: held.end }
  }

  #made({ registry, again }: HeldRegistry): Environment {
    const made: Environment = {
      ...this.#environment,
      registry: () => registry,
      begin: again,
      ports: new EnvironmentPorts(() => made),
    }
    this.#known.set(registry, made)
    return made
  }
}
