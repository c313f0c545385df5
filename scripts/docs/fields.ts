import { isRecord } from '../../core/sdk/json.js'

/** One field of a JSON Schema as a row of a table. */
export interface Field {
  /** With the fields around it: `results[].url`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** As JSON; null where there is none. */
  readonly standard: string | null
  /** Values, range or length that it allows; empty if anything of its type is. */
  readonly allowed: string
  readonly about: string
}

const TYPES: Readonly<Record<string, string>> = { array: 'list', null: 'null' }

/** Fields of an object schema with those of objects and lists within them, in the order of the schema; empty for any other schema. */
export function fieldsOf(schema: unknown, prefix = ''): Field[] {
  const shape = objectOf(schema)
  if (shape === null) return []
  const required: readonly unknown[] = Array.isArray(shape.required) ? shape.required : []
  return Object.entries(shape.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const own = isRecord(property) ? property : {}
    return [
      {
        name: path,
        type: typeOf(property),
        required: required.includes(name),
        standard: 'default' in own ? JSON.stringify(own.default) : null,
        allowed: allowedBy(property),
        about: typeof own.description === 'string' ? own.description : '',
      },
      ...fieldsOf(property, `${path}.`),
      ...variantsOf(property).flatMap((variant) => fieldsOf(variant.items, `${path}[].`)),
    ]
  })
}

/** The schema itself, or the members of its `anyOf`. */
function variantsOf(schema: unknown): Readonly<Record<string, unknown>>[] {
  if (!isRecord(schema)) return []
  const members = [schema.anyOf, schema.oneOf].find(Array.isArray)
  return members === undefined ? [schema] : members.flatMap(variantsOf)
}

function objectOf(schema: unknown): { properties: Readonly<Record<string, unknown>>; required: unknown } | null {
  for (const { properties, required } of variantsOf(schema)) if (isRecord(properties)) return { properties, required }
  return null
}

/** Types in words: `string or null`, `list of strings`. */
function typeOf(schema: unknown): string {
  const names = variantsOf(schema).flatMap((variant) => {
    const types: readonly unknown[] = Array.isArray(variant.type) ? variant.type : [variant.type]
    return types.map((type) => (type === 'array' ? listOf(variant.items) : typeof type === 'string' ? (TYPES[type] ?? type) : 'any value'))
  })
  return [...new Set(names)].sort((one, other) => Number(one === 'null') - Number(other === 'null')).join(' or ')
}

function listOf(items: unknown): string {
  const type = items === undefined ? 'any value' : typeOf(items)
  return type === 'any value' ? 'list' : `list of ${/ or |^list/.test(type) ? type : `${type}s`}`
}

function allowedBy(schema: unknown): string {
  const parts = variantsOf(schema).flatMap((variant) => {
    if (Array.isArray(variant.enum)) return variant.enum.filter((value) => value !== null).map((value) => `\`${String(value)}\``)
    const items = isRecord(variant.items) && Array.isArray(variant.items.enum) ? allowedBy(variant.items) : ''
    return [
      range(variant.minimum, variant.maximum, ''),
      range(variant.minLength, variant.maxLength, 'character'),
      range(variant.minItems, variant.maxItems, 'item'),
      items,
      typeof variant.format === 'string' ? `format ${variant.format}` : '',
    ]
  })
  return [...new Set(parts)].filter((part) => part !== '').join(', ')
}

function range(least: unknown, most: unknown, unit: string): string {
  const words = (value: number): string => `${value.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}${value === 1 ? '' : 's'}`}`
  if (typeof least === 'number' && typeof most === 'number' && !(least === 0 && unit !== ''))
    return least === most ? words(most) : `${least.toLocaleString('en-US')} to ${words(most)}`
  if (typeof most === 'number') return `at most ${words(most)}`
  return typeof least === 'number' && !(least === 0 && unit !== '') ? `at least ${words(least)}` : ''
}
