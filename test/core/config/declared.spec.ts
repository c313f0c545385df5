import { expect } from 'chai'
import fc from 'fast-check'
import { declaredSettings } from '../../../core/config/declared.js'
import { SchemaCompiler, Type, type TObject, type TSchema } from '../../../core/sdk/index.js'

const text = fc.oneof(fc.constantFrom('', 'auto', 'a', '9', 'a-b'), fc.string({ maxLength: 4, unit: 'grapheme' }))
const value = fc.oneof(text, fc.integer({ min: -3, max: 12 }), fc.constant(2.5), fc.boolean(), fc.constant(null), fc.constant([]))

/** A declared setting whose default is often none of its values. */
const anySetting = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('string', 'integer', 'number', 'boolean', 'array'),
      fc.constantFrom(['string', 'null'], ['integer', 'null']),
    ),
    default: value,
    description: fc.constant('What it is.'),
    minimum: fc.integer({ min: -2, max: 5 }),
    maximum: fc.integer({ min: 0, max: 9 }),
    minLength: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 0, max: 4 }),
    pattern: fc.constantFrom('^[a-z-]*$', '\\S', '^.$'),
    multipleOf: fc.constant(4),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['type'] },
)

const goodSetting = fc.constantFrom(
  { type: 'string', default: 'auto', minLength: 1, maxLength: 4, pattern: '^[a-z-]*$' },
  { type: 'string', default: 'a', enum: ['a', 'b'] },
  { type: 'integer', default: 5, minimum: 5, maximum: 5 },
  { type: 'number', default: 2.5 },
  { type: 'boolean', default: false },
  { type: ['string', 'null'], default: null, minLength: 1, pattern: '\\S' },
)
const setting = fc.oneof(anySetting, goodSetting)

const values = (schema: TObject) => {
  const { values: found, problems } = declaredSettings({
    owner: 'acme',
    schema,
    env: new Map(),
    written: () => undefined,
    compiler: new SchemaCompiler(),
  })
  return { found, problems }
}

describe('settings that nothing sets', () => {
  it('have the values that a check of the whole schema gives, whatever they are made of', () => {
    let plain = 0
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('one', 'two'), setting), (properties) => {
        const optional = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, Type.Optional(each as TSchema)]))
        const schema = Type.Object(optional)
        const filled: Record<string, unknown> = {}
        if (!new SchemaCompiler().compile(schema).check(filled)) return
        expect(values(schema)).to.deep.equal({ found: filled, problems: [] })
        if (Object.keys(filled).length > 0) plain += 1
      }),
      { numRuns: 200 },
    )
    expect(plain).to.be.greaterThan(20)
  })

  it('are not compiled: a schema that cannot be is no fault until something is set', () => {
    const schema = Type.Object({ size: Type.Optional(Type.Integer({ default: 5, minimum: 1 })) })
    expect(values(schema)).to.deep.equal({ found: { size: 5 }, problems: [] })
    const broken = Type.Object({ size: Type.Optional({ type: 'integer', default: 5, minimum: 'x' }) })
    expect(values(broken).found).to.deep.equal({ size: 5 })
  })

  it('are named where one is needed and has no default', () => {
    const { problems } = values(Type.Object({ place: Type.String() }))
    expect(problems.map(({ message }) => message).join()).to.contain('place')
  })
})
