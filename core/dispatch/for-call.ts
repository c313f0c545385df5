import type { Environment } from './environment.js'
import type { HeldRegistry } from '../loader/port.js'
import { createPorts } from './ports.js'

/**
 * The environment of one call: whatever it asks is of the registry in force now, also when a reload or a new order comes before
 * `end`. What goes on behind the call holds the same registry by `begin`.
 */
export function forCall(environment: Environment): { readonly environment: Environment; readonly end: () => void } {
  const { registry, end } = environment.begin()
  let holds = 0
  const begin = (): HeldRegistry => {
    let held = true
    holds++
    const leave = (): void => {
      if (!held) return
      held = false
      if (--holds === 0) end()
    }
    return { registry, end: leave }
  }
  const own: Environment = { ...environment, registry: () => registry, begin, ports: createPorts(() => own) }
  return { environment: own, end: begin().end }
}
