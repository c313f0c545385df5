import type { LoadedCapability, Registry } from '../loader/types.js'
import { normalised, required, type TSchema } from '../sdk/index.js'
import { isRecord } from '../sdk/record.js'

/** A field of an input that chooses among modes, and those that can answer now. */
export interface LiveModes {
  readonly field: string
  readonly live: readonly string[]
}

/** The modes of a capability whose ports have a live provider each; null where it has no modes, or all or none of them can answer. */
export function liveModes(registry: Registry, { capability, input }: LoadedCapability): LiveModes | null {
  const field = capability.mode ?? 'mode'
  const property: unknown = input.schema.properties[field]
  const modes = isRecord(property) && Array.isArray(property.enum) ? property.enum.filter((mode) => typeof mode === 'string') : []
  const live = modes.filter((mode) => isServed(mode))
  return live.length === 0 || live.length === modes.length ? null : { field, live }

  function isServed(mode: string): boolean {
    const params: unknown = { ...structuredClone(capability.examples[0]?.params ?? {}), [field]: mode }
    // An example that is none with another mode says nothing about it.
    if (!input.check(params)) return true
    return required(capability, normalised(capability, params)).every(({ id }) => registry.liveness(id).live)
  }
}

/** An input that offers these modes alone; without a default that is none of them, and then a mode must be chosen. */
export function narrowed(schema: TSchema, { field, live }: LiveModes): TSchema {
  if (!isRecord(schema) || !isRecord(schema.properties)) return schema
  const property = schema.properties[field]
  if (!isRecord(property)) return schema
  const { default: standard, ...rest } = property
  const isDefault = typeof standard === 'string' && live.includes(standard)
  const needed = Array.isArray(schema.required) ? schema.required.map(String) : []
  return {
    ...schema,
    properties: { ...schema.properties, [field]: { ...rest, ...(isDefault ? { default: standard } : {}), enum: [...live] } },
    ...(isDefault || needed.includes(field) ? {} : { required: [...needed, field] }),
  }
}
