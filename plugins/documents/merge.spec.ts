import { expect } from 'chai'
import { Merge } from './work/merge.js'
import settled, { type SettleInput } from './work/settle.js'

const merged = (...answers: unknown[]) => new Merge().all(answers)

describe('documents.extract: answers about the parts of a text', () => {
  it('single values are the first that says something', () => {
    expect(merged({ a: null, b: 1 }, { a: 'x', b: null }, { a: 'X', c: { d: 2 } })).to.deep.equal({ a: 'x', b: 1, c: { d: 2 } })
  })

  it('a contradiction is reported with its place, and the first wins', () => {
    const merge = new Merge()
    expect(
      merge.all([
        { a: 'x', b: { c: 1 } },
        { a: 'y', b: { c: 2 } },
      ]),
    ).to.deep.equal({ a: 'x', b: { c: 1 } })
    expect(merge.conflicts).to.deep.equal(['/a', '/b/c'])
  })

  it('lists are united without doubles, in their order', () => {
    expect(merged({ a: ['Red', 'blue'] }, { a: ['BLUE', 'green'] })).to.deep.equal({ a: ['Red', 'blue', 'green'] })
    expect(
      merged(
        { a: [{ n: 'x', p: 1 }] },
        {
          a: [
            { p: 1, n: 'X' },
            { n: 'x', p: 2 },
          ],
        },
      ),
    ).to.deep.equal({
      a: [
        { n: 'x', p: 1 },
        { n: 'x', p: 2 },
      ],
    })
  })

  it('two equal items of one part stay two', () => {
    expect(merged({ a: [{ n: 'x' }, { n: 'x' }] }, { a: [{ n: 'y' }] })).to.deep.equal({ a: [{ n: 'x' }, { n: 'x' }, { n: 'y' }] })
  })

  it('an item that a border cut is put together', () => {
    const first = {
      a: [
        { name: 'Pot', price: 3 },
        { name: 'Kettle', price: null },
      ],
    }
    expect(
      merged(first, {
        a: [
          { name: 'Kettle', price: 12 },
          { name: 'Pan', price: 3 },
        ],
      }),
    ).to.deep.equal({
      a: [
        { name: 'Pot', price: 3 },
        { name: 'Kettle', price: 12 },
        { name: 'Pan', price: 3 },
      ],
    })
  })

  it('items with the same identity are one, and differences are reported', () => {
    const merge = new Merge()
    expect(merge.all([{ a: [{ SKU: 'K-1', price: 1 }] }, { a: [{ SKU: 'k1', price: 2, colour: 'red' }] }])).to.deep.equal({
      a: [{ SKU: 'K-1', price: 1, colour: 'red' }],
    })
    expect(merge.conflicts).to.deep.equal(['/a/0/price'])
  })

  it('ten thousand items are merged at once', () => {
    const items = Array.from({ length: 10_000 }, (_, at) => ({ name: `Item ${String(at)}`, price: at }))
    expect(merged({ a: items.slice(0, 6_000) }, { a: items.slice(4_000) })).to.deep.equal({ a: items })
  }).timeout(20_000)
})

describe('documents.extract: what of an answer is kept', () => {
  const settle = (answer: unknown, more: Partial<SettleInput>) =>
    settled({ answers: [answer], schema: null, source: 'Red kettle, 12 EUR', url: null, prompt: null, ...more })
  const text = { type: 'string' }
  const textOrNull = { type: ['string', 'null'] }

  it('properties that the schema names, through references and branches', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/thing' }, b: { anyOf: [{ $ref: '#/$defs/thing' }, { type: 'null' }] }, '': text },
      allOf: [{ properties: { c: { enum: ['cheap', 'dear'] } } }],
      $defs: { thing: { type: 'object', properties: { name: textOrNull, inner: { $ref: '#/$defs/thing' } } } },
    }
    const answer = {
      a: { name: 'red kettle', inner: { name: 'nobody', inner: { name: 'Kettle' } }, more: 'red' },
      b: null,
      c: 'dear',
      d: 'red',
    }
    expect(settle(answer, { schema })).to.deep.include({
      extracted: { a: { name: 'red kettle', inner: { name: null, inner: { name: 'Kettle' } } }, b: null, c: 'dear' },
      struck: ['/a/inner/name'],
    })
  })

  it('an optional text that is struck is left out where the schema takes no null, a list loses its item', () => {
    const schema = {
      type: 'object',
      properties: {
        name: text,
        tags: { type: 'array', items: text },
        things: { type: 'array', items: { type: 'object', properties: { name: text } } },
      },
    }
    const { extracted, struck } = settle(
      { name: 'Nobody', tags: ['red', 'nobody'], things: [{ name: 'nobody' }, { name: 'kettle' }] },
      { schema },
    )
    expect(extracted).to.deep.equal({ tags: ['red'], things: [{ name: 'kettle' }] })
    expect(struck).to.deep.equal(['/name', '/tags/1', '/things/0/name'])
  })

  it('absent values are null, absent lists empty', () => {
    const schema = {
      type: 'object',
      properties: { a: textOrNull, b: { type: 'array', items: text }, c: text, d: { type: 'object', properties: { e: textOrNull } } },
    }
    expect(settle({ d: {} }, { schema })).to.deep.include({ extracted: { a: null, b: [], d: { e: null } }, empty: true })
  })

  it('names of a map are texts of the source', () => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } }
    expect(settle({ 'red kettle': 12, canary: 1 }, { schema }).extracted).to.deep.equal({ 'red kettle': 12 })
  })

  it('without a schema names are plain words, words of the prompt or texts of the source', () => {
    const answer = {
      product_name: 'Red kettle',
      'co2 value': 1,
      canary7f3a: 1,
      'https://canary.example': 2,
      'red kettle, 12': 3,
      nested: { ['x'.repeat(70)]: 1 },
    }
    expect(settle(answer, { prompt: 'the CO2 value' }).extracted).to.deep.equal({
      product_name: 'Red kettle',
      'co2 value': 1,
      'red kettle, 12': 3,
      nested: {},
    })
  })

  it('names of the language itself change nothing', () => {
    const answer = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "name": "kettle"}',
    ) as unknown
    const { extracted } = settle(answer, {})
    expect(Object.hasOwn(extracted, '__proto__')).to.equal(false)
    expect(extracted).to.deep.include({ name: 'kettle' })
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined)
  })

  it('an answer that is no object, and one of great depth, are nothing', () => {
    for (const answer of [null, 'red', ['red'], 7]) expect(settle(answer, {}).empty).to.equal(true)
    const deep = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ a: inner }), 'red')
    expect(settle(deep, {}).empty).to.equal(true)
  })

  it('a schema that doubles with each level costs no more than its length', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `a${String(at)}`,
        { allOf: [{ $ref: `#/$defs/a${String(at + 1)}` }, { $ref: `#/$defs/a${String(at + 1)}` }] },
      ]),
    )
    const schema = { $ref: '#/$defs/a0', $defs: { ...$defs, a40: { type: 'object', properties: { name: textOrNull } } } }
    expect(settle({ name: 'kettle' }, { schema }).extracted).to.deep.equal({ name: 'kettle' })
  })
})
