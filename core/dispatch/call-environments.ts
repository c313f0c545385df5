import type { HeldRegistry, Registry } from '../loader/types.js'
import type { Environment } from './environment.js'
import { EnvironmentPorts } from './ports.js'

/** One call's environment, good until `end`. */
export interface LentEnvironment {
  readonly environment: Environment
  readonly end: () => void
}

/** The environments that calls work in: whatever a call asks is of the registry it began with, also when a reload or a new order comes. */
export class CallEnvironments {
  readonly #environment: Environment
  /** One for each registry that calls began with: made once, because it is as large as all that a call makes of its own. */
  readonly #known = new WeakMap<Registry, Environment>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The environment of one call, good until `end`. What goes on behind the call holds the same registry by `begin`. */
  begin(): LentEnvironment {
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
