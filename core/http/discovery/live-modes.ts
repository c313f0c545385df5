import type { TSchema } from '../../sdk/index.js'
import { isRecord } from '../../sdk/json.js'
import type { LiveModes } from '../../loader/types.js'

/** Restricts an input schema to the live modes. If the default mode is not live, the field becomes required. */
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
