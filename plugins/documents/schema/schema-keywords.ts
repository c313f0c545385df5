/** Form of the value of a JSON Schema keyword (draft 2020-12). */
export type KeywordForm =
  'type' | 'schema' | 'schemas' | 'named' | 'count' | 'number' | 'positive' | 'flag' | 'names' | 'namesOf' | 'text' | 'values' | 'any'

const table = (rows: Readonly<Record<KeywordForm, string>>): ReadonlyMap<string, KeywordForm> =>
  new Map(FORMS.flatMap((form) => rows[form].split(' ').map((keyword): [string, KeywordForm] => [keyword, form])))

const FORMS: readonly KeywordForm[] = [
  'type',
  'schema',
  'schemas',
  'named',
  'count',
  'number',
  'positive',
  'flag',
  'names',
  'namesOf',
  'text',
  'values',
  'any',
]

/** The supported keywords. Any other is noted and left out. */
export const KEYWORDS = table({
  type: 'type',
  schema: 'additionalProperties unevaluatedProperties propertyNames items unevaluatedItems contains not if then else',
  schemas: 'allOf anyOf oneOf prefixItems',
  named: 'properties patternProperties dependentSchemas $defs definitions',
  count: 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  positive: 'multipleOf',
  flag: 'uniqueItems',
  names: 'required',
  namesOf: 'dependentRequired',
  text: '$ref pattern format title description',
  values: 'enum',
  any: 'const default examples',
})

/** Unsupported keywords that would change the meaning of others, with their replacement. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ['$dynamicRef', 'use $ref'],
  ['$dynamicAnchor', 'use $defs and $ref'],
  ['$recursiveRef', 'use $ref'],
  ['$recursiveAnchor', 'use $defs and $ref'],
  ['$anchor', 'use a $ref such as #/$defs/name'],
  ['$async', 'leave it out'],
  ['dependencies', 'use dependentRequired or dependentSchemas'],
  ['additionalItems', 'use prefixItems and items'],
])

/** Keywords whose schemas apply to the same value as their parent. */
export const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'])

export const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])
