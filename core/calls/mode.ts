import type { Capability } from '../sdk/index.js'

/** What an input asks for in the capability's mode field; null where it has none. */
export function modeOf({ mode = 'mode' }: Capability, input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const value: unknown = Reflect.get(input, mode)
  return typeof value === 'string' ? value : null
}
