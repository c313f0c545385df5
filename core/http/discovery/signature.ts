import { isRecord } from '../../sdk/json.js'

/** The parameters of an input in one line: `search(query, mode?: serp|ai|deep, num_results?: integer)`; those with `?` are optional. */
export function signature(id: string, input: unknown): string {
  const { properties, required } = isRecord(input) ? input : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const names = isRecord(properties) ? Object.entries(properties) : []
  // Required parameters come first.
  const sorted = [...names].sort(([one], [other]) => Number(needed.includes(other)) - Number(needed.includes(one)))
  return `${id}(${sorted.map(([name, schema]) => `${name}${needed.includes(name) ? '' : '?'}${typeOf(schema)}`).join(', ')})`
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return ''
  if (Array.isArray(schema.enum)) return `: ${schema.enum.filter((value) => value !== null).join('|')}`
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const named = types.filter((type) => typeof type === 'string' && type !== 'null' && type !== 'string')
  return named.length === 0 ? '' : `: ${named.join('|')}`
}
