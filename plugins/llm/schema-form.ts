import { isRecord } from '../../core/sdk/index.js'

/** Deeper schemas are not inspected. */
const DEEPEST = 20

/** Value limits, which some vendors' schemas do not support. */
const LIMITS = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems'.split(
    ' ',
  ),
)
const STRUCTURE = new Set(
  'type properties required items enum const anyOf additionalProperties title description default examples'.split(' '),
)

/** Which vendor schema formats support a schema. */
interface SchemaForm {
  /** Supported by every vendor: lists and objects with named fields, without references, maps and combinations other than `anyOf`. */
  readonly plain: boolean
  /** Supported by OpenAI's strict mode: every object closed, with all its properties required. */
  readonly strict: boolean
  /** It has none of the value limits that some vendors drop. */
  readonly whole: boolean
}

const NONE: SchemaForm = { plain: false, strict: false, whole: false }
const ALL: SchemaForm = { plain: true, strict: true, whole: true }

/** Inspects a JSON Schema, up to 20 levels. */
export function schemaForm(schema: unknown): SchemaForm {
  const form = formAt(schema, 0)
  return isRecord(schema) && schema.type === 'object' ? form : { ...form, strict: false }
}

function formAt(schema: unknown, depth: number): SchemaForm {
  if (!isRecord(schema) || depth > DEEPEST) return NONE
  const keywords = Object.keys(schema)
  const { properties, items, anyOf, type, $defs, definitions, additionalProperties, required } = schema
  const inner = [...[properties, anyOf, $defs, definitions].flatMap(valuesOf), ...(items === undefined ? [] : [items])].map((each) =>
    formAt(each, depth + 1),
  )
  const types: unknown[] = Array.isArray(type) ? type : [type]
  const object = types.includes('object') || properties !== undefined
  const names = isRecord(properties) ? Object.keys(properties) : []
  const closed = additionalProperties === false && names.every((name) => Array.isArray(required) && required.includes(name))
  const referring = ['$ref', '$defs', 'definitions'].some((keyword) => keyword in schema)
  const known = keywords.every((keyword) => STRUCTURE.has(keyword) || LIMITS.has(keyword))
  const whole = !keywords.some((keyword) => LIMITS.has(keyword))
  const own: SchemaForm = {
    plain:
      known &&
      ['type', 'enum', 'const', 'anyOf', 'properties'].some((keyword) => keyword in schema) &&
      (!object || (names.length > 0 && !isRecord(additionalProperties))) &&
      (!types.includes('array') || items !== undefined),
    strict:
      (known ||
        (referring && keywords.every((keyword) => STRUCTURE.has(keyword) || keyword.startsWith('$') || keyword === 'definitions'))) &&
      whole &&
      (!object || closed),
    whole,
  }
  return inner.reduce(
    (one, other) => ({ plain: one.plain && other.plain, strict: one.strict && other.strict, whole: one.whole && other.whole }),
    {
      ...ALL,
      ...own,
    },
  )
}

function valuesOf(schemas: unknown): unknown[] {
  return typeof schemas === 'object' && schemas !== null ? Object.values(schemas) : []
}
