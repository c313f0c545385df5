import { isRecord } from '../../../core/sdk/index.js'

type Schema = Readonly<Record<string, unknown>>

/** Two contradicting keywords of a schema. */
export interface SchemaConflict {
  readonly keyword: string
  readonly problem: string
}

/** Lower bound, upper bound, whether both may be equal, and the description of a conflict. */
const BOUNDS: readonly (readonly [lower: string, upper: string, mayEqual: boolean, what: string])[] = [
  ['minimum', 'maximum', true, 'number'],
  ['minimum', 'exclusiveMaximum', false, 'number'],
  ['exclusiveMinimum', 'maximum', false, 'number'],
  ['exclusiveMinimum', 'exclusiveMaximum', false, 'number'],
  ['minLength', 'maxLength', true, 'text'],
  ['minItems', 'maxItems', true, 'list'],
  ['minProperties', 'maxProperties', true, 'object'],
  ['minContains', 'maxContains', true, 'list'],
]

/**
 * Keywords of one schema that no value can satisfy together: exclusive bounds, an `enum` or `const` without an
 * allowed value, and required properties that are forbidden. Conflicts across subschemas are not found. Each keyword
 * already has a valid value.
 */
export function schemaConflicts(schema: Schema): readonly SchemaConflict[] {
  const found: SchemaConflict[] = []
  for (const [lower, upper, mayEqual, what] of BOUNDS) {
    const [least, most] = [schema[lower], schema[upper]]
    if (typeof least !== 'number' || typeof most !== 'number' || (mayEqual ? least <= most : least < most)) continue
    found.push({ keyword: lower, problem: `is ${least} and ${upper} is ${most}: no ${what} fits both` })
  }
  const listed: unknown = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)
  if (Array.isArray(listed) && !listed.some((value) => allows(schema, value)))
    found.push({ keyword: 'const' in schema ? 'const' : 'enum', problem: 'allows no value that the keywords beside it allow' })
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  for (const name of required) {
    if (typeof name !== 'string' || !isExcluded(schema, name)) continue
    found.push({ keyword: 'required', problem: `names ${JSON.stringify(name.slice(0, 100))}, which the keywords beside it exclude` })
    break
  }
  return found
}

/** Whether a value satisfies the type, bounds and `const` of a schema. */
function allows(schema: Schema, value: unknown): boolean {
  if ('type' in schema && ![schema['type']].flat().some((type) => isOfType(value, type))) return false
  if ('const' in schema && differ(schema['const'], value)) return false
  if (typeof value === 'number')
    return (
      within(value, schema['minimum'], schema['maximum']) &&
      value !== schema['exclusiveMinimum'] &&
      value !== schema['exclusiveMaximum'] &&
      within(value, schema['exclusiveMinimum'], schema['exclusiveMaximum'])
    )
  // A character may be two code units, and JSON Schema counts characters.
  if (typeof value === 'string') return within([...value].length, schema['minLength'], schema['maxLength'])
  if (Array.isArray(value)) return within(value.length, schema['minItems'], schema['maxItems'])
  return true
}

function within(figure: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && figure < least) && !(typeof most === 'number' && figure > most)
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Whether every object with this property is invalid. */
function isExcluded({ properties, patternProperties, additionalProperties }: Schema, name: string): boolean {
  const own = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (own !== undefined) return own === false
  return additionalProperties === false && patternProperties === undefined
}

/** Whether two JSON values are certainly different; lists and objects are not compared. */
function differ(one: unknown, other: unknown): boolean {
  return one !== other && !(isContainer(one) && isContainer(other))
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
