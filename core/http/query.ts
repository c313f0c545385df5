import type { TObject } from '../sdk/index.js'
import type { ValidationItem } from '../problems/problem.js'
import { validationFailed } from './validation.js'

const INTEGER = /^-?(0|[1-9]\d{0,14})$/
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** Parses the query string by the types of a schema. Throws `validation-failed` for a repeated field. */
export function readQuery(schema: TObject, query: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>()
  const faults: ValidationItem[] = []
  for (const name of new Set(query.keys())) {
    const given = query.getAll(name)
    const [text = ''] = given
    if (given.length > 1) faults.push({ loc: ['query', name], msg: 'this field was given more than once', type: 'multiple' })
    else values.set(name, convert(typeOf(schema, name), text))
  }
  if (faults.length > 0) throw validationFailed(faults)
  return Object.fromEntries(values)
}

function typeOf(schema: TObject, name: string): unknown {
  const property: unknown = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return typeof property === 'object' && property !== null && 'type' in property ? property.type : undefined
}

/** A value that does not parse stays a string, which the schema then refuses. */
function convert(type: unknown, text: string): unknown {
  const types: unknown[] = Array.isArray(type) ? type : [type]
  if (types.includes('integer') && INTEGER.test(text)) return Number(text)
  if (types.includes('number') && NUMBER.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
