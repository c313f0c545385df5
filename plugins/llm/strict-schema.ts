/** Deeper schemas are not looked through and count as not strict. */
const DEEPEST = 20

/** True when a JSON Schema is one that OpenAI's strict mode takes: every object closed, with all its properties required. */
export function isStrict(schema: unknown, depth = 0): boolean {
  if (Array.isArray(schema)) return schema.every((one) => isStrict(one, depth + 1))
  if (typeof schema !== 'object' || schema === null) return true
  if (depth > DEEPEST) return false
  const fields = new Map<string, unknown>(Object.entries(schema))
  const properties = fields.get('properties')
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const required: unknown = fields.get('required')
  const closed = fields.get('additionalProperties') === false && names.every((name) => Array.isArray(required) && required.includes(name))
  if ((fields.get('type') === 'object' || fields.has('properties')) && !closed) return false
  return [...fields.values()].every((value) => isStrict(value, depth + 1))
}
