import { expect } from 'chai'
import { Cancel } from '../../../core/runtime/cancel.js'
import { callerSchema, type CallerSchema, type SchemaContext, type SchemaViolation } from './caller-schema.js'
import { checkedSchema } from './checked-schema.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { createWorkers } from '../../../core/exec/workers.js'
import type { Workers } from '../../../core/exec/types.js'
import { answerOf, Fault } from '../../../core/sdk/index.js'
import { cpuOf } from '../../../test/support/time.js'

const LOC = ['output_schema']
const named = (count: number, schema: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, schema]))
const nested = (levels: number, leaf: unknown = {}): unknown => {
  let schema = leaf
  for (let level = 0; level < levels; level++) schema = { type: 'array', items: schema }
  return schema
}
/** Schemas that double the work at each level: `a0` checks its value 2^levels times. */
const doubling = (levels: number): unknown => {
  const twice = (at: number): unknown => {
    const next = { $ref: `#/$defs/a${String(at + 1)}` }
    return { allOf: [next, next] }
  }
  const levelled = Array.from({ length: levels }, (_, at): [string, unknown] => [`a${String(at)}`, twice(at)])
  return { $ref: '#/$defs/a0', $defs: { ...Object.fromEntries(levelled), [`a${String(levels)}`]: { type: 'object' } } }
}

describe('T-50 schemas of callers', function () {
  this.timeout(60_000)
  let workers: Workers
  before(() => void (workers = createWorkers({ clock: systemClock, size: 2 })))
  after(() => workers.close())

  const contextOf = (cancel: Cancel): SchemaContext => ({
    work: async <T>(module: URL, input: unknown, options = {}) => answerOf<T>(await workers.run(module, input, options, cancel)),
    signal: cancel.signal,
    timeLeft: () => cancel.timeLeft(),
  })
  const compile = (schema: unknown): Promise<CallerSchema> =>
    callerSchema(contextOf(new Cancel(systemClock, systemClock.monotonic() + 60_000)), schema, LOC)
  const violations = async (schema: unknown, value: unknown): Promise<readonly SchemaViolation[]> =>
    (await compile(schema)).violations(value)
  const refusal = async (work: Promise<unknown>): Promise<Fault> => {
    const outcome: unknown = await work.catch((error: unknown) => error)
    if (!Fault.is(outcome)) throw new Error(`expected a Fault, got ${JSON.stringify(outcome) ?? String(outcome)}`)
    return outcome
  }

  describe('are refused before anything runs, at the keyword', () => {
    const cases: readonly [string, unknown, string, RegExp][] = [
      ['2,000 levels', nested(2_000), 'output_schema', /nested more than 40 levels/],
      ['13 schemas deep', nested(13), `output_schema${'.items'.repeat(12)}`, /more than 12 schemas deep/],
      [
        '10,000 properties',
        { type: 'object', properties: named(10_000, { type: 'string' }) },
        'output_schema',
        /larger than 32768 characters/,
      ],
      ['1 MiB of text', { description: 'x'.repeat(1 << 20) }, 'output_schema', /larger than 32768 characters/],
      ['a huge enum', { enum: Array.from({ length: 100_000 }, (_, at) => at) }, 'output_schema', /larger than 32768 characters/],
      [
        'a remote reference',
        { properties: { a: { $ref: 'http://127.0.0.1:1/s.json' } } },
        'output_schema.properties.a.$ref',
        /must point into/,
      ],
      ['a file', { $ref: 'file:///etc/passwd' }, 'output_schema.$ref', /must point into/],
      ['a reference to nothing', { $ref: '#/$defs/none' }, 'output_schema.$ref', /points to no schema/],
      ['a reference that is no pointer', { $ref: '#/%zz' }, 'output_schema.$ref', /must point into/],
      ['itself', { $ref: '#' }, 'output_schema.$ref', /leads back to itself/],
      [
        'a circle of two',
        { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
        'output_schema.$defs.b.not.$ref',
        /leads back to itself/,
      ],
      ['$dynamicRef', { items: { $dynamicRef: '#x' } }, 'output_schema.items.$dynamicRef', /not supported: use \$ref/],
      ['$id inside', { $id: 'a', properties: { a: { $id: 'a' } } }, 'output_schema.properties.a.$id', /only at the top/],
      ['$async', { $async: true }, 'output_schema.$async', /not supported/],
      ['$data', { properties: { a: { minimum: { $data: '1/b' } } } }, 'output_schema.properties.a.minimum', /must be a number/],
      ['__proto__', { properties: JSON.parse('{"__proto__":{"type":"string"}}') as unknown }, 'output_schema.properties', /__proto__/],
      ['multipleOf 0', { multipleOf: 0 }, 'output_schema.multipleOf', /above 0/],
      ['a type that is none', { properties: { a: { type: 'text' } } }, 'output_schema.properties.a.type', /must be one or more of/],
      ['items as a list', { items: [{}] }, 'output_schema.items', /prefixItems/],
      ['no schema', 'x', 'output_schema', /must be a JSON Schema/],
      ['false', false, 'output_schema', /must be a JSON Schema/],
      ['a list', [], 'output_schema', /must be a JSON Schema/],
    ]
    for (const [name, schema, loc, says] of cases)
      it(name, async () => {
        const took = await cpuOf(() => {
          const [first] = checkedSchema(schema, LOC).violations
          expect(first?.loc.join('.')).to.equal(loc)
          expect(first?.msg).to.match(says)
        })
        expect(took).to.be.below(50)
        const fault = await refusal(compile(schema))
        expect([fault.kind, fault.loc?.join('.'), fault.costly]).to.deep.equal(['invalid', loc, false])
      })
  })

  describe('A6 that no value fits are refused before anybody is asked, at the keyword', () => {
    const cases: readonly [string, unknown, string, RegExp][] = [
      ['a minimum above the maximum', { minimum: 5, maximum: 4 }, 'minimum', /is 5 and maximum is 4: no number fits both/],
      ['a minimum that the exclusive maximum excludes', { minimum: 5, exclusiveMaximum: 5 }, 'minimum', /no number fits/],
      ['exclusive bounds that meet', { exclusiveMinimum: 1, exclusiveMaximum: 1 }, 'exclusiveMinimum', /no number fits/],
      ['lengths that exclude each other', { type: 'string', minLength: 3, maxLength: 2 }, 'minLength', /no text fits/],
      ['counts of items that exclude each other', { minItems: 2, maxItems: 1 }, 'minItems', /no list fits/],
      ['counts of properties that exclude each other', { minProperties: 2, maxProperties: 1 }, 'minProperties', /no object fits/],
      ['a const outside of the enum', { const: 'c', enum: ['a', 'b'] }, 'const', /allows no value/],
      ['a const of another type', { type: 'string', const: 5 }, 'const', /allows no value/],
      ['an enum of other types alone', { type: ['integer', 'null'], enum: ['1', 2.5] }, 'enum', /allows no value/],
      ['an enum outside of the bounds', { enum: [1, 'ab'], minimum: 2, maxLength: 1 }, 'enum', /allows no value/],
      [
        'a required property that is excluded',
        { required: ['a', 'b'], properties: { a: {} }, additionalProperties: false },
        'required',
        /names "b"/,
      ],
      ['a required property that nothing fits', { required: ['a'], properties: { a: false } }, 'required', /names "a"/],
    ]
    for (const [title, schema, keyword, message] of cases)
      it(title, () => {
        for (const [around, at] of [
          [schema, ''],
          [{ type: 'array', items: { properties: { n: schema } } }, 'items.properties.n.'],
        ] as const) {
          const [first] = checkedSchema(around, LOC).violations
          expect(first?.loc.join('.')).to.equal(`output_schema.${at}${keyword}`)
          expect(first?.msg).to.match(message)
        }
      })

    it('and not what values do fit, or need not fit', () => {
      const sound: readonly unknown[] = [
        { minimum: 5, maximum: 5 },
        { exclusiveMinimum: 0, maximum: 1 },
        { const: 'a', enum: ['a', 'b'] },
        { enum: [null, 'x'], type: ['string', 'null'], minLength: 1 },
        { enum: ['\u{1F600}'], maxLength: 1 },
        { const: { a: [1, { b: 2 }] }, enum: [{ a: [1, { b: 2 }] }] },
        { const: null },
        { required: ['x-1'], patternProperties: { '^x-': {} }, additionalProperties: false },
        { required: ['b'], properties: { a: {} } },
        { not: { minimum: 5, maximum: 4 } },
        { not: { properties: { n: { minimum: 5, maximum: 4 } } } },
        { if: { const: 1, type: 'string' }, then: {} },
      ]
      for (const schema of sound) expect(checkedSchema(schema, LOC).violations, JSON.stringify(schema)).to.deep.equal([])
    })

    it('in time that the size of a schema bounds', async () => {
      const values = Array.from({ length: 7_000 }, (_, at) => at)
      const ms = await cpuOf(() => Promise.resolve(checkedSchema({ enum: values, minimum: 10_000, const: 9_000 }, LOC)))
      expect(ms).to.be.below(100)
    })
  })

  it('look-around, back references and broken patterns are refused where they stand', async () => {
    for (const pattern of ['(?=a)b', '(a)\\1', '(', 'a{2000}']) {
      const fault = await refusal(compile({ properties: { a: { pattern } } }))
      expect([fault.kind, fault.loc?.join('.')], pattern).to.deep.equal(['invalid', 'output_schema.properties.a.pattern'])
      expect(fault.message).to.contain('cannot be used')
    }
    expect((await refusal(compile({ patternProperties: { '(?!a)': {} } }))).loc?.join('.')).to.equal(
      'output_schema.patternProperties.(?!a)',
    )
  })

  it('patterns take linear time, and each is its own', async () => {
    const schema = await compile({ properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^\\d{3}$' }, c: { pattern: '^\\u00e9+' } } })
    const took = await cpuOf(async () => {
      expect(await schema.violations({ a: 'a'.repeat(50_000), b: '123', c: 'é!' })).to.deep.equal([])
      const wrong = await schema.violations({ a: `${'a'.repeat(5_000)}!`, b: '12', c: 'e' })
      expect(wrong.map(({ at }) => at)).to.deep.equal(['/a', '/b', '/c'])
    })
    expect(took).to.be.below(1_000)
  })

  it('say what does not fit, as JSON Schema means it', async () => {
    const schema = {
      $id: 'https://example.com/s.json',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        total: { type: 'number', multipleOf: 0.01 },
        day: { type: 'string', format: 'date' },
        odd: { format: 'of-my-own' },
        tree: { $ref: '#/$defs/tree' },
      },
      required: ['total'],
      additionalProperties: false,
      $defs: { tree: { type: 'object', properties: { inner: { $ref: '#/$defs/tree' } }, additionalProperties: false } },
      'x-own': 5,
    }
    expect(await violations(schema, { total: 1, day: '2026-01-31', odd: 'x', tree: { inner: { inner: {} } } })).to.deep.equal([])
    expect(await violations(schema, { day: '31.1.2026', tree: { inner: { other: 1 } }, extra: 1 })).to.deep.equal([
      { at: '/', message: "must have required property 'total'" },
      { at: '/', message: 'must NOT have additional properties ("extra")' },
      { at: '/day', message: 'must match format "date"' },
      { at: '/tree/inner', message: 'must NOT have additional properties ("other")' },
    ])
    expect(await violations(true, [1])).to.deep.equal([])
    expect(await violations({ properties: { constructor: { type: 'string' } }, required: ['toString'] }, {})).to.deep.equal([
      { at: '/', message: "must have required property 'toString'" },
    ])
    expect(await violations({}, undefined)).to.deep.equal([{ at: '/', message: 'must be a JSON value' }])
    expect(await violations({ type: 'array', items: { type: 'string' } }, Array(5_000).fill(1))).to.have.length(20)
  })

  it('may refer to the whole of themselves, with an id and without', async () => {
    const tree = { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } } }
    for (const schema of [tree, { ...tree, $id: 'https://example.com/tree.json' }]) {
      expect(await violations(schema, { name: 'a', children: [{ name: 'b', children: [] }] })).to.deep.equal([])
      expect(await violations(schema, { children: [{ name: 1 }] })).to.deep.equal([{ at: '/children/0/name', message: 'must be string' }])
    }
  })

  it('names that look like code are names', async () => {
    const name = `"'\`]);globalThis.hit=1;//\u2028*/\n\${process.exit(3)}`
    const schema = {
      title: '*/ process.exit(4)',
      properties: { [name]: { type: 'string', pattern: `^[^"'\`]+$`, format: 'constructor', enum: [`\`);process.exit(5)//`, 'x'] } },
      patternProperties: { '"\\)': { const: name } },
      required: [name],
      dependentRequired: { [name]: [`${name}2`] },
      additionalProperties: false,
    }
    expect((await violations(schema, { [name]: 'x' })).map(({ at }) => at)).to.deep.equal(['/'])
    for (const format of ['hasOwnProperty', 'valueOf', 'toString']) expect(await violations({ format }, 'x'), format).to.deep.equal([])
    expect(await violations({ format: '__proto__' }, 'x')).to.deep.equal([])
    expect(
      await violations({ properties: { a: { $ref: '#/$defs/x%22y~1z' } }, $defs: { 'x"y/z': { type: 'null' } } }, { a: 1 }),
    ).to.have.length(1)
  })

  it('tiny steps and equal ids of several callers are harmless', async () => {
    expect(await violations({ multipleOf: 5e-324 }, 1e300)).to.have.length.at.most(1)
    const one = await compile({ $id: 'https://example.com/same', type: 'string' })
    const other = await compile({ $id: 'https://example.com/same', type: 'number' })
    expect([await one.violations('x'), await other.violations(1)]).to.deep.equal([[], []])
    expect([await one.violations(1), await other.violations('x')].map((found) => found.length)).to.deep.equal([1, 1])
  })

  it('what outgrows its time costs that call alone, and counts against its caller', async () => {
    const innocent = compile({ type: 'object' })
    const fault = await refusal(violations(doubling(40), {}))
    expect([fault.kind, fault.loc, fault.costly]).to.deep.equal(['invalid', LOC, true])
    expect(fault.message).to.contain('1000 ms')
    expect(await (await innocent).violations({})).to.deep.equal([])
    const many = Array.from({ length: 40_000 }, (_, at) => ({ at }))
    const unique = await refusal(violations({ type: 'array', uniqueItems: true }, many))
    expect([unique.kind, unique.costly]).to.deep.equal(['invalid', true])
  })

  it('a program of a pattern that needs too much is ended too', async () => {
    const fault = await refusal(compile({ properties: named(400, { pattern: '(?:a{900}b{900}){1}c{999}d{999}e{999}' }) }))
    expect(fault.kind).to.equal('invalid')
  })

  it('a call that is over is not blamed on the schema', async () => {
    const of = async (ms: number): Promise<[CallerSchema, Cancel]> => {
      const cancel = new Cancel(systemClock, systemClock.monotonic() + ms)
      return [await callerSchema(contextOf(cancel), doubling(40), LOC), cancel]
    }
    const [left, cancel] = await of(60_000)
    const work = refusal(left.violations({}))
    cancel.cancel('client-gone')
    expect((await work).kind).to.equal('busy')
    const [late, end] = await of(60_000)
    const started = refusal(late.violations({}))
    await compile({ type: 'object' })
    end.cancel('deadline')
    const fault = await started
    // `busy` on a machine that gave the thread little processor time.
    expect(fault.kind).to.be.oneOf(['blocked', 'busy'])
    expect(fault.loc).to.equal(undefined)
  })

  it('never hold the event loop for 50 ms', async () => {
    const bombs: readonly [unknown, unknown][] = [
      [doubling(40), {}],
      [{ type: 'array', uniqueItems: true }, Array.from({ length: 20_000 }, (_, at) => ({ at }))],
      [{ items: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } }, ['a'.repeat(200_000)]],
      [nested(2_000), []],
      [{ type: 'object', properties: named(10_000, { type: 'string' }) }, {}],
      [{ anyOf: Array.from({ length: 1_000 }, (_, at) => ({ const: at })) }, 5],
    ]
    for (const [schema] of bombs.slice(3)) await compile(schema).catch(() => undefined)
    const busy: number[] = []
    for (const [schema, value] of bombs) {
      const before = performance.eventLoopUtilization()
      await violations(schema, value).catch((error: unknown) => {
        if (!Fault.is(error)) throw error
      })
      busy.push(performance.eventLoopUtilization(before).active)
    }
    // The total of each bomb, of which one turn is a part. An idle machine needs 30 ms at most.
    expect(Math.max(...busy), JSON.stringify(busy)).to.be.below(200)
  })
})
