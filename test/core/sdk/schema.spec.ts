import { expect } from 'chai'
import { SchemaCompiler, Type, nullable, oneOf, or, type TSchema } from '../../../core/sdk/index.js'

const accepts = (schema: TSchema, value: unknown): boolean => new SchemaCompiler().compile(Type.Object({ v: schema })).check({ v: value })

describe('schemas of the sdk', () => {
  it('or() makes a field optional on the wire and always there afterwards', () => {
    const schema = Type.Object({ size: or(Type.Integer({ minimum: 1 }), 5), tags: or(Type.Array(Type.String()), []), name: Type.String() })
    expect(schema.required).to.deep.equal(['name'])
    const validator = new SchemaCompiler().compile(schema)
    const [one, two] = [{ name: 'a' } as Record<string, unknown>, { name: 'b', size: 2 } as Record<string, unknown>]
    expect([validator.check(one), validator.check(two)]).to.deep.equal([true, true])
    expect([one, two]).to.deep.equal([
      { name: 'a', size: 5, tags: [] },
      { name: 'b', size: 2, tags: [] },
    ])
    expect(one['tags']).not.to.equal(two['tags'], "a default is nobody else's object")
    expect(validator.check({ name: 'c', size: 0 })).to.equal(false)
    expect(validator.check({ name: 'c', size: null })).to.equal(false)
  })

  it('or() leaves the schema it was given alone', () => {
    const size = Type.Integer()
    or(size, 5)
    expect(size).not.to.have.property('default')
  })

  it('oneOf() takes the listed words and nothing else', () => {
    expect(oneOf('fast', 'deep')).to.deep.include({ type: 'string', enum: ['fast', 'deep'] })
    expect(['fast', 'deep', 'Fast', '', null, 1].map((value) => accepts(oneOf('fast', 'deep'), value))).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  const nullables: [string, TSchema, unknown, unknown][] = [
    ['a string', Type.String({ minLength: 2 }), 'ab', 'a'],
    ['an integer', Type.Integer(), 1, 1.5],
    ['a list of words', oneOf('a', 'b'), 'b', 'c'],
    ['one word', Type.Literal('only'), 'only', 'other'],
    ['an enum of mixed types', Type.Unsafe<string | number>({ enum: ['a', 1] }), 1, 2],
    ['a union', Type.Union([Type.String(), Type.Integer()]), 5, true],
    ['an object', Type.Object({ a: Type.String() }), { a: 'x' }, { a: 1 }],
    ['an array', Type.Array(Type.String()), ['x'], [1]],
    ['what is nullable already', nullable(Type.String()), 'x', 1],
  ]
  for (const [name, schema, good, bad] of nullables)
    it(`nullable() of ${name} takes it, null, and nothing else`, () => {
      const wide = nullable(schema)
      expect([good, null, bad, undefined].map((value) => accepts(wide, value))).to.deep.equal([true, true, false, false])
      expect(accepts(schema, null)).to.equal(name.startsWith('what'))
    })

  it('the compiler compiles a schema object once, and says every fault in one line', () => {
    const compiler = new SchemaCompiler()
    const schema = Type.Object({ a: Type.String(), b: Type.Integer({ minimum: 1 }) }, { additionalProperties: false })
    const validator = compiler.compile(schema)
    expect(compiler.compile(schema)).to.equal(validator)
    expect(validator.schema).to.equal(schema)
    expect(validator.check({ a: 1, b: 0, c: 2 })).to.equal(false)
    expect(validator.errors()).to.have.length(3)
    expect(validator.explain()).to.contain('/a must be string').and.to.contain('/b must be >= 1').and.to.contain('; ')
    expect(validator.check({ a: 'x', b: 1 })).to.equal(true)
    expect(validator.explain()).to.equal('')
  })

  it('the compiler coerces nothing, checks formats, and refuses unknown keywords', () => {
    expect(accepts(Type.Integer(), '1')).to.equal(false)
    expect(['https://example.com', 'not a uri'].map((value) => accepts(Type.String({ format: 'uri' }), value))).to.deep.equal([true, false])
    expect(() => new SchemaCompiler().assertValid(Type.Unsafe({ type: 'string', maxLenght: 3 }))).to.throw('maxLenght')
    expect(() => new SchemaCompiler().assertValid(Type.String({ format: 'no-such' }))).to.throw('no-such')
    expect(() => new SchemaCompiler().assertValid(Type.String({ minLength: -1 }))).to.throw('minLength must be >= 0')
  })
})
