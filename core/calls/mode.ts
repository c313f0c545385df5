import type { Capability } from '../sdk/index.js'

/** The value of the capability's mode field in an input; null where it has none. */
export function modeOf({ mode = 'mode' }: Capability, input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const value: unknown = Reflect.get(input, mode)
  return typeof value === 'string' ? value : null
}
