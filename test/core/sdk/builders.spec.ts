import { expect } from 'chai'
import fc from 'fast-check'
import { Type as TypeBox, type TSchema } from 'typebox'
import { Type } from '../../../core/sdk/index.js'

/** A way to build a schema, as data. */
type Plan =
  | { readonly of: 'String' | 'Integer' | 'Number' | 'Boolean' | 'Null' | 'Unknown'; readonly options: object | undefined }
  | { readonly of: 'Literal'; readonly value: string | number | boolean; readonly options: object | undefined }
  | { readonly of: 'Array' | 'Optional' | 'Unsafe' | 'Record'; readonly inner: Plan; readonly options: object | undefined }
  | { readonly of: 'Union'; readonly parts: readonly Plan[]; readonly options: object | undefined }
  | { readonly of: 'Object'; readonly properties: Readonly<Record<string, Plan>>; readonly options: object | undefined }

const options = fc.option(
  fc.dictionary(fc.constantFrom('description', 'default', 'minimum', 'pattern', 'title'), fc.oneof(fc.string(), fc.integer())),
  { nil: undefined },
)

const { plan } = fc.letrec<{ plan: Plan }>((tie) => {
  const inner = tie('plan')
  return {
    plan: fc.oneof(
      { maxDepth: 4 },
      fc.record({ of: fc.constantFrom('String', 'Integer', 'Number', 'Boolean', 'Null', 'Unknown'), options }),
      fc.record({ of: fc.constant('Literal'), value: fc.oneof(fc.string(), fc.integer(), fc.boolean()), options }),
      fc.record({ of: fc.constantFrom('Array', 'Optional', 'Unsafe', 'Record'), inner, options }),
      fc.record({ of: fc.constant('Union'), parts: fc.array(inner, { maxLength: 3 }), options }),
      fc.record({ of: fc.constant('Object'), properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner), options }),
    ),
  }
})

function built(type: typeof TypeBox, each: Plan): TSchema {
  const { options: given } = each
  if (each.of === 'Literal') return type.Literal(each.value, given as never)
  if (each.of === 'Union')
    return type.Union(
      each.parts.map((part) => built(type, part)),
      given as never,
    )
  if (each.of === 'Object')
    return type.Object(Object.fromEntries(Object.entries(each.properties).map(([name, part]) => [name, built(type, part)])), given as never)
  if (each.of === 'Optional') return type.Optional(built(type, each.inner))
  if (each.of === 'Unsafe') return type.Unsafe(built(type, each.inner))
  if (each.of === 'Array') return type.Array(built(type, each.inner), given as never)
  if (each.of === 'Record') return type.Record(type.String(), built(type, each.inner), given as never)
  return type[each.of](given as never)
}

/** Everything of a schema: its text with the order of its keywords, and its marks. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  const all = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([name, { value: part, ...how }]) => [name, whole(part), how] as const,
  )
  return [all.filter(([, , { enumerable }]) => enumerable), all.filter(([, , { enumerable }]) => enumerable !== true)]
}

describe('the builders of schemas', () => {
  it('return what those of TypeBox return, keyword for keyword and mark for mark', () => {
    fc.assert(fc.property(plan, (each) => void expect(whole(built(Type, each))).to.deep.equal(whole(built(TypeBox, each)))))
  })

  it('refuse nothing that TypeBox takes: a record of other keys, and each builder that is not their own', () => {
    const schema = Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) })
    const theirs = TypeBox.Object({ a: TypeBox.String(), b: TypeBox.Optional(TypeBox.Integer()) })
    expect(whole(Type.Omit(schema, ['a']))).to.deep.equal(whole(TypeBox.Omit(theirs, ['a'])))
    expect(whole(Type.Partial(schema))).to.deep.equal(whole(TypeBox.Partial(theirs)))
    expect(whole(Type.Record(Type.String({ pattern: '^x' }), Type.Null()))).to.deep.equal(
      whole(TypeBox.Record(TypeBox.String({ pattern: '^x' }), TypeBox.Null())),
    )
    expect(whole(Type.Record(Type.Integer(), Type.Null()))).to.deep.equal(whole(TypeBox.Record(TypeBox.Integer(), TypeBox.Null())))
    expect(whole(Type.Tuple([Type.Null()]))).to.deep.equal(whole(TypeBox.Tuple([TypeBox.Null()])))
    for (const name of Object.keys(TypeBox)) expect(typeof Reflect.get(Type, name), name).to.equal(typeof Reflect.get(TypeBox, name))
  })

  it('leave the schema alone that they change a copy of', () => {
    const text = Type.String()
    Type.Optional(text)
    Type.Unsafe(text)
    expect(Object.getOwnPropertyNames(text)).to.deep.equal(['type', '~kind'])
  })
})
