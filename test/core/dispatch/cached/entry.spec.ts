import { expect } from 'chai'
import { entryOf, fits, textOf } from '../../../../core/dispatch/cached/entry.js'
import { SchemaCompiler, Type } from '../../../../core/sdk/index.js'

const shape = new SchemaCompiler().compile(Type.Object({ text: Type.String() }))

describe('an entry of the cache', () => {
  it('comes out as it went in', () => {
    const value = { kind: 'value', value: { text: 'a"\u2028' }, vendors: ['acme', 'x.y-z search.serp'] } as const
    const missing = { kind: 'missing', message: 'Nobody is there.' } as const
    for (const entry of [value, missing]) {
      expect(entryOf(textOf(entry), shape)).to.deep.equal(entry)
      expect(fits(textOf(entry), shape, { missing: true })).to.equal(true)
    }
    expect(fits(textOf(missing), shape, { missing: false })).to.equal(false)
  })

  it('is none when somebody else wrote it: no JSON, another shape, too large, too deep', () => {
    const texts = [
      ...[
        '',
        'v',
        'x',
        'v{}',
        'v[]',
        'v[{"text":"a"}]',
        'v[{"text":1},[]]',
        'v[{"text":"a"},[1]]',
        'v[{"text":"a"},["<b>"]]',
        'v[{"text":"a"},["a b c"]]',
      ],
      `v[{"text":"a"},${JSON.stringify(Array(51).fill('a'))}]`,
      `v[{"text":"${'x'.repeat(300_000)}"},[]]`,
      `v[{"text":"a","more":${'['.repeat(600)}${']'.repeat(600)}},[]]`,
    ]
    for (const text of texts) expect(fits(text, shape, { missing: true }), text.slice(0, 40)).to.equal(false)
    expect(entryOf(`m${'x'.repeat(9_000)}`, shape))
      .to.have.property('message')
      .with.lengthOf(500)
  })
})
