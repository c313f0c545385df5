import { expect } from 'chai'
import fc from 'fast-check'
import { SchemaCompiler, Type, nullable, oneOf, or, type TObject, type TSchema } from '../../../core/sdk/index.js'

const read = (schema: TObject, value: unknown): unknown => {
  const copy: unknown = structuredClone(value)
  const input = new SchemaCompiler().compileInput(schema)
  return input.check(copy) ? copy : input.explain()
}

describe('null in an input', () => {
  it('means absent where the property is optional, so that its default holds', () => {
    const schema = Type.Object({ size: or(Type.Integer(), 5), mode: or(oneOf('a', 'b'), 'a'), note: Type.Optional(Type.String()) })
    expect(read(schema, { size: null, mode: null, note: null })).to.deep.equal({ size: 5, mode: 'a' })
  })

  it('stays where the schema takes null or says nothing of the type', () => {
    const schema = Type.Object({
      text: or(nullable(Type.String()), 'x'),
      word: Type.Optional(nullable(oneOf('a'))),
      either: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      any: Type.Optional(Type.Unknown()),
    })
    const given = { text: null, word: null, either: null, any: null }
    expect(read(schema, given)).to.deep.equal(given)
  })

  it('is refused where the property is required or not known', () => {
    const schema = Type.Object({ name: Type.String() }, { additionalProperties: false })
    expect(read(schema, { name: null })).to.equal('/name must be string')
    expect(read(schema, { name: 'a', other: null })).to.equal('/ must NOT have additional properties')
  })

  it('means absent at every depth: in objects, lists, records and alternatives', () => {
    const inner = Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) })
    const schema = Type.Object({
      one: inner,
      many: Type.Array(inner),
      named: Type.Record(Type.String(), inner),
      either: Type.Union([inner, Type.Object({ url: Type.String(), size: Type.Optional(Type.Integer()) })]),
    })
    const [given, meant] = [{ name: 'a', size: null }, { name: 'a' }]
    expect(read(schema, { one: given, many: [given, given], named: { x: given }, either: { url: 'u', size: null } })).to.deep.equal({
      one: meant,
      many: [meant, meant],
      named: { x: meant },
      either: { url: 'u' },
    })
  })

  it('stays in alternatives of which one takes it or requires the property', () => {
    const part = (size: TSchema) =>
      Type.Object({ either: Type.Union([Type.Object({ size }), Type.Object({ size: Type.Optional(Type.Integer()) })]) })
    expect(read(part(Type.Null()), { either: { size: null } })).to.deep.equal({ either: { size: null } })
    expect(read(part(Type.String()), { either: { size: null } })).to.contain('/either/size must be string')
  })

  it('changes nothing else, whatever the value', () => {
    const schema = Type.Object(
      { list: Type.Optional(Type.Array(Type.Unknown())), text: Type.Optional(Type.String()) },
      { additionalProperties: true },
    )
    const input = new SchemaCompiler().compileInput(schema)
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = structuredClone(value)
        const nulls = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
        const dropped = ['list', 'text'].filter((name) => Object.hasOwn(nulls, name) && nulls[name] === null)
        input.check(copy)
        if (dropped.length === 0) expect(copy).to.deep.equal(value)
      }),
    )
  })
})
