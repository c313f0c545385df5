import { expect } from 'chai'
import { nullable, oneOf, SchemaCompiler, Type, type TSchema } from '../../core/sdk/index.js'
import { schemaFaults } from '../../core/problems/schema-faults/faults.js'

const compiler = new SchemaCompiler()
const says = (schema: TSchema, value: unknown): string[] => {
  const validator = compiler.compile(schema)
  expect(validator.check(value), JSON.stringify(value)).to.equal(false)
  return schemaFaults(validator, value).map(({ path, says: words }) => [...path, words].join(': '))
}
const field = (schema: TSchema): TSchema => Type.Object({ f: schema }, { additionalProperties: false })
const unsafe = (schema: object): TSchema => Type.Unsafe<unknown>(schema)
const uri = Type.String({ format: 'uri' })

/** A keyword, a schema with it, a value that does not fit, and the message for its sender. */
const SENTENCES: readonly (readonly [string, TSchema, unknown, string])[] = [
  ['type', field(Type.String()), { f: 5 }, 'f: must be a text, not a number'],
  ['type integer', field(Type.Integer()), { f: 'five' }, 'f: must be a whole number, not a text'],
  ['type integer in quotes', field(Type.Integer()), { f: '5' }, 'f: must be a whole number, not a text (write it without quotes)'],
  ['type integer with a fraction', field(Type.Integer()), { f: 1.5 }, 'f: must be a whole number, not 1.5'],
  ['type boolean in quotes', field(Type.Boolean()), { f: 'true' }, 'f: must be true or false, not a text (write true without quotes)'],
  [
    'type boolean in quotes and capitals',
    field(Type.Boolean()),
    { f: 'False' },
    'f: must be true or false, not a text (write false without quotes)',
  ],
  ['type string for a list', field(Type.String()), { f: ['one'] }, 'f: must be a text, not a list (give one value without brackets)'],
  [
    'type number with a description',
    field(Type.Number({ description: 'Seconds it may take. More is said here.' })),
    { f: 'soon' },
    'f: must be a number, not a text (seconds it may take)',
  ],
  ['type array of numbers', field(Type.Array(Type.Integer())), { f: 'one' }, 'f: must be a list, not a text'],
  [
    'type array as JSON',
    field(Type.Array(Type.Integer())),
    { f: '[1]' },
    'f: must be a list, not a text (send the list itself, not its JSON as a text)',
  ],
  [
    'type object as JSON',
    field(Type.Object({ a: Type.String(), b: Type.String() })),
    { f: '{"a": 1}' },
    'f: must be an object with a, b, not a text (send the object itself, not its JSON as a text)',
  ],
  ['type array', field(Type.Array(Type.String())), { f: 'one' }, 'f: must be a list, not a text (put it in brackets: ["..."])'],
  ['type of the whole', field(Type.String()), [1], 'must be an object with f, not a list'],
  ['nullable type', field(nullable(Type.String())), { f: 1 }, 'f: must be a text or null, not a number'],
  ['required', field(Type.String()), {}, 'f: this field is required'],
  [
    'additionalProperties',
    Type.Object({ query: Type.Optional(Type.String()) }, { additionalProperties: false }),
    { qurey: 'x' },
    'qurey: this field is not known; did you mean query?',
  ],
  [
    'additionalProperties that is like none',
    field(Type.Optional(Type.String())),
    { somethingelse: 1 },
    'somethingelse: this field is not known; known: f',
  ],
  [
    'additionalProperties where there are none',
    Type.Object({}, { additionalProperties: false }),
    { a: 1 },
    'a: this field is not known; no fields are accepted here',
  ],
  [
    'additionalProperties that is a part of one',
    Type.Object({ file_url: Type.Optional(Type.String()) }, { additionalProperties: false }),
    { url: 'x' },
    'url: this field is not known; did you mean file_url?',
  ],
  ['minLength 1', field(Type.String({ minLength: 1 })), { f: '' }, 'f: must not be empty'],
  ['minLength', field(Type.String({ minLength: 3 })), { f: 'ab' }, 'f: must have at least 3 characters'],
  ['maxLength', field(Type.String({ maxLength: 3 })), { f: 'abcd' }, 'f: must have at most 3 characters, not 4'],
  [
    'minLength and pattern',
    field(Type.String({ minLength: 1, pattern: '^[a-z]+$', 'x-says': 'must be small letters' })),
    { f: '' },
    'f: must not be empty',
  ],
  ['pattern of any character', field(Type.String({ pattern: '\\S' })), { f: '  ' }, 'f: must not be empty or blank'],
  [
    'pattern with words',
    field(Type.String({ pattern: '^[A-Z]{2}$', 'x-says': 'must be two letters such as DE' })),
    { f: 'deu' },
    'f: must be two letters such as DE',
  ],
  [
    'pattern with a description',
    field(Type.String({ pattern: '^#', description: '#rrggbb.' })),
    { f: 'red' },
    'f: does not have the required form: #rrggbb.',
  ],
  ['format uri', field(uri), { f: 'example' }, 'f: must be a whole address such as https://example.com/page'],
  ['format email', field(Type.String({ format: 'email' })), { f: 'ada' }, 'f: must be a mail address such as first.last@example.com'],
  ['format date', field(Type.String({ format: 'date' })), { f: 'soon' }, 'f: must be a date such as 2026-01-31'],
  ['enum', field(oneOf('serp', 'ai', 'deep')), { f: 'sepr' }, 'f: must be one of "serp", "ai", "deep"; did you mean "serp"?'],
  ['enum for a list', field(oneOf('serp', 'ai')), { f: ['serp', 'ai'] }, 'f: must be one of "serp", "ai", not a list'],
  ['enum that is like none', field(oneOf('serp', 'deep')), { f: 'something' }, 'f: must be one of "serp", "deep"'],
  ['const', field(Type.Literal('yes')), { f: 'no' }, 'f: must be "yes"'],
  ['minimum and maximum', field(Type.Integer({ minimum: 1, maximum: 100 })), { f: 500 }, 'f: must be from 1 to 100, not 500'],
  [
    'minimum and maximum with a description',
    field(Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds the program may run.' })),
    { f: 30_000 },
    'f: must be from 1 to 300, not 30000 (seconds the program may run)',
  ],
  ['minimum', field(Type.Integer({ minimum: 1 })), { f: 0 }, 'f: must be at least 1, not 0'],
  ['maximum', field(Type.Number({ maximum: 1 })), { f: 1.5 }, 'f: must be at most 1, not 1.5'],
  ['exclusiveMinimum', field(Type.Number({ exclusiveMinimum: 0 })), { f: 0 }, 'f: must be greater than 0, not 0'],
  ['exclusiveMaximum', field(Type.Number({ exclusiveMaximum: 1 })), { f: 1 }, 'f: must be less than 1, not 1'],
  ['multipleOf', field(Type.Integer({ multipleOf: 5 })), { f: 7 }, 'f: must be a multiple of 5, not 7'],
  ['minItems 1', field(Type.Array(Type.String(), { minItems: 1 })), { f: [] }, 'f: must not be an empty list'],
  ['minItems', field(Type.Array(Type.String(), { minItems: 2 })), { f: ['a'] }, 'f: must have at least 2 entries'],
  ['maxItems', field(Type.Array(Type.String(), { maxItems: 1 })), { f: ['a', 'b'] }, 'f: must have at most 1 entries, not 2'],
  [
    'uniqueItems',
    field(Type.Array(Type.String(), { uniqueItems: true })),
    { f: ['a', 'b', 'a'] },
    'f: must not contain the same entry twice (entries 1 and 3)',
  ],
  ['an entry of a list', field(Type.Array(Type.Integer())), { f: [1, 'x'] }, 'f: 1: must be a whole number, not a text'],
  [
    'minProperties 1',
    Type.Object({ a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) }, { minProperties: 1 }),
    {},
    'must have at least one of the fields a, b',
  ],
  ['minProperties', field(unsafe({ type: 'object', minProperties: 2 })), { f: {} }, 'f: must have at least 2 fields'],
  ['maxProperties', field(unsafe({ type: 'object', maxProperties: 0 })), { f: { a: 1 } }, 'f: must have at most 0 fields'],
  [
    'propertyNames',
    field(unsafe({ type: 'object', propertyNames: { maxLength: 1 } })),
    { f: { ab: 1 } },
    'f: has a name that is not allowed: ab',
  ],
  [
    'dependentRequired',
    unsafe({ type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } }),
    { a: 1 },
    'needs the field b beside a',
  ],
  ['not', field(unsafe({ not: { const: 1 } })), { f: 1 }, 'f: is not allowed in this form'],
  [
    'anyOf of one form or null',
    field(unsafe({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] })),
    { f: '' },
    'f: must not be empty',
  ],
  ['anyOf', field(unsafe({ anyOf: [{ type: 'string' }, { type: 'integer' }] })), { f: [] }, 'f: must be a text, or a whole number'],
  ['oneOf with values', field(unsafe({ oneOf: [{ const: 'all' }, { type: 'array' }] })), { f: 1 }, 'f: must be "all", or a list'],
  [
    'anyOf of objects in parts',
    field(
      unsafe({
        anyOf: [
          { type: 'object', properties: { a: {} }, required: ['a'] },
          { minProperties: 1, type: ['object', 'string'] },
        ]
          .map((each) => ({ ...each, allOf: [each] }))
          .map(({ allOf }) => ({ allOf })),
      }),
    ),
    { f: {} },
    'f: has none of the accepted forms',
  ],
]

describe('the message to a caller about a value that does not fit', () => {
  for (const [keyword, schema, value, wanted] of SENTENCES)
    it(`${keyword}: ${wanted}`, () => {
      const said = says(schema, value)
      if (keyword === 'propertyNames') expect(said).to.include(wanted)
      else expect(said).to.deep.equal([wanted])
    })

  it('finds the field behind names with slashes, tildes and percent signs', () => {
    const schema = Type.Object({ 'a/b~c %20': Type.Integer({ minimum: 1, maximum: 2 }) })
    expect(says(schema, { 'a/b~c %20': 3 })).to.deep.equal(['a/b~c %20: must be from 1 to 2, not 3'])
  })

  it('says nothing of texts and quotes where every value comes as text', () => {
    const validator = compiler.compile(field(Type.Integer({ description: 'Calls on a page.' })))
    for (const f of ['ten', '10.5']) {
      expect(validator.check({ f })).to.equal(false)
      expect(schemaFaults(validator, { f }, { texts: true }).map(({ says: words }) => words)).to.deep.equal([
        'must be a whole number (calls on a page)',
      ])
    }
  })

  it('does not repeat texts that were sent', () => {
    for (const [, schema, value] of SENTENCES) expect(says(schema, value).join()).not.to.contain('hush')
    expect(says(field(Type.Integer()), { f: 'hush' }).join()).not.to.contain('hush')
  })

  it('reads at most 1,000 faults', () => {
    expect(
      says(
        Type.Array(Type.String()),
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).to.have.length(1_000)
  })
})
