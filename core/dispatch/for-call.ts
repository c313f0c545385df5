import type { Environment } from './environment.js'
import { createPorts } from './ports.js'

/** The environment of one call: whatever it asks is of the registry in force now, also when a reload or a new order comes before `end`. */
export function forCall(environment: Environment): { readonly environment: Environment; readonly end: () => void } {
  const { registry, end } = environment.begin()
  const own: Environment = { ...environment, registry: () => registry, ports: createPorts(() => own) }
  return { environment: own, end }
}
