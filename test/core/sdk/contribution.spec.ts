import { expect } from 'chai'
import { pathToFileURL } from 'node:url'
import {
  SDK_VERSION,
  Fault,
  Type,
  answerOf,
  buildRequest,
  callLimit,
  capability,
  contributionOf,
  flat,
  handle,
  httpProvider,
  kindOf,
  mapReply,
  violations,
  plugin,
  or,
  port,
  provider,
  quote,
  required,
  resource,
  runHandler,
  runProvider,
  SchemaCompiler,
  serves,
  tryLimit,
  vendor,
  FAULT_KINDS,
  type Capability,
} from '../../../core/sdk/index.js'
import { chat } from '../../../plugins/llm/contract.js'

const input = Type.Object({ n: Type.Integer() })
const output = Type.Object({ twice: Type.Integer() })
const numbers = port({ id: 'numbers.twice', input, output })
const acme = vendor({ id: 'acme', title: 'Acme', settings: Type.Object({ s: or(Type.String(), 'x') }) })
const coded = provider(numbers, { vendor: acme, run: ({ n }) => Promise.resolve({ twice: n * 2 }) })
const plain = httpProvider(numbers, {
  vendor: acme,
  rank: 7,
  timeoutMs: ({ n }) => n * 10,
  serves: ({ n }) => n > 0,
  request: ({ n }, { settings }) => ({ path: `/${n}/${settings.s}` }),
  reply: Type.Object({ r: Type.Integer() }),
  map: ({ r }, { n }) => ({ twice: r + n }),
})
const base = {
  id: 'numbers.double',
  path: '/v1/double',
  title: 'Double',
  description: 'Doubles.',
  input,
  output,
  price: flat(3),
  examples: [],
}
const double = capability(base)
const full = capability({
  ...base,
  timeoutMs: ({ n }) => n,
  requires: ({ n }) => (n > 1 ? [numbers] : []),
  check: ({ n }) => (n === 13 ? [{ loc: ['n'], msg: 'unlucky' }] : []),
})
const wide = (narrow: unknown) => narrow as Capability

describe('contributions', () => {
  it('are known by their mark and kind, anything else is not one', () => {
    const handler = handle(double, ({ n }) => Promise.resolve({ twice: n }))
    const manifest = plugin({ name: 'numbers', version: '1.0.0', sdk: SDK_VERSION, title: 'Numbers' })
    const kinds = [numbers, double, handler, coded, plain, manifest, chat].map((made) => {
      const known = contributionOf(made)
      return known === undefined ? null : kindOf(known)
    })
    expect(kinds).to.deep.equal(['port', 'capability', 'handler', 'provider', 'provider', 'plugin', 'port'])
    for (const other of [
      undefined,
      null,
      1,
      'x',
      {},
      [],
      () => undefined,
      acme,
      { of: numbers },
      resource({ id: 'r', open: () => Promise.resolve(1) }),
    ])
      expect(contributionOf(other)).to.equal(undefined)
  })

  it('keep what they were given and fill in the rank', () => {
    expect(coded).to.deep.include({ of: numbers, vendor: acme, rank: 50 })
    expect(coded).not.to.have.any.keys('timeoutMs', 'serves', 'http')
    expect(plain.rank).to.equal(7)
    expect(plain).not.to.have.property('run')
    expect(numbers).to.deep.include({ id: 'numbers.twice', input, output })
    expect(handle(double, () => Promise.resolve({ twice: 1 })).of).to.equal('numbers.double')
    expect(vendor(acme)).to.equal(acme)
  })

  it('are run by the host: request, reply, code, handler', async () => {
    expect(buildRequest(plain, { n: 4 }, { settings: { s: 'x' } })).to.deep.equal({ path: '/4/x' })
    expect(mapReply(plain, { r: 10 }, { n: 4 })).to.deep.equal({ twice: 14 })
    expect(await runProvider(coded, { n: 4 }, undefined as never)).to.deep.equal({ twice: 8 })
    expect(
      await runHandler(
        handle(double, ({ n }, context) => Promise.resolve({ twice: n + Number(context.requestId) })),
        { n: 1 },
        { requestId: '5' } as never,
      ),
    ).to.deep.equal({ twice: 6 })
    expect(() => runProvider(plain, {}, undefined as never)).to.throw(TypeError, 'acme of numbers.twice has no run function')
    expect(() => buildRequest(coded, {}, { settings: {} })).to.throw(TypeError, 'makes no single request')
    expect(() => mapReply(coded, {}, {})).to.throw(TypeError, 'makes no single request')
    expect(answerOf<number>(5)).to.equal(5)
  })

  it('say what they serve, how long they take, what they need and what does not fit', () => {
    expect([serves(plain, { n: 1 }), serves(plain, { n: 0 }), serves(coded, { n: 0 })]).to.deep.equal([true, false, true])
    expect([tryLimit(plain, { n: 3 }), tryLimit(coded, { n: 3 }), tryLimit({ ...coded, timeoutMs: 99 }, {})]).to.deep.equal([
      30,
      undefined,
      99,
    ])
    expect([callLimit(wide(double), {}), callLimit(wide(full), { n: 7 }), callLimit({ ...wide(double), timeoutMs: 5 }, {})]).to.deep.equal([
      30_000, 7, 5,
    ])
    expect([violations(wide(double), {}), violations(wide(full), { n: 1 }), violations(wide(full), { n: 13 })]).to.deep.equal([
      [],
      [],
      [{ loc: ['n'], msg: 'unlucky' }],
    ])
    expect([required(wide(double), {}), required(wide(full), { n: 1 }), required(wide(full), { n: 2 })]).to.deep.equal([[], [], [numbers]])
    expect([quote(wide(double), {}), quote(wide(double), {}, { call: 9 })]).to.deep.equal([3, 9])
  })

  it('the model port fills in its defaults and refuses an empty prompt', () => {
    const validator = new SchemaCompiler().compile(chat.input)
    const question: unknown = { prompt: 'hi' }
    expect(validator.check(question)).to.equal(true)
    expect(question).to.deep.equal({ prompt: 'hi', system: null, document: null, keep: 'start', files: [], max_tokens: 1024, schema: null })
    expect(validator.check({ prompt: '' })).to.equal(false)
  })
})

describe('a Fault', () => {
  it('carries kind, public sentence and what only the log may see', () => {
    const cause = new Error('cause')
    const fault = new Fault('busy', 'Wait.', { internal: 'secret', retryAfterSeconds: 3, loc: ['url'], ambiguous: true, cause })
    expect(fault).to.deep.include({
      kind: 'busy',
      message: 'Wait.',
      name: 'Fault',
      internal: 'secret',
      retryAfterSeconds: 3,
      loc: ['url'],
      ambiguous: true,
    })
    expect(fault.cause).to.equal(cause)
    const bare = new Fault('missing', 'x')
    expect(bare).to.deep.include({ ambiguous: false, internal: undefined, retryAfterSeconds: undefined, loc: undefined })
    expect('cause' in bare).to.equal(false)
    expect(FAULT_KINDS).to.deep.equal(['invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken'])
  })

  it('of another copy of the sdk is understood, and nothing else is taken for one', async () => {
    const url = new URL('../../../core/sdk/fault.js', import.meta.url)
    const copy = (await import(`${pathToFileURL(url.pathname).href}?copy`)) as { Fault: typeof Fault }
    const foreign = new copy.Fault('quota', 'x')
    expect(foreign instanceof Fault).to.equal(false)
    expect(Fault.is(foreign) && foreign.kind).to.equal('quota')
    for (const other of [
      new Error('x'),
      { kind: 'busy', message: 'x' },
      null,
      undefined,
      'Fault',
      Object.assign(new Error('x'), { name: 'Fault', kind: 'busy' }),
    ])
      expect(Fault.is(other)).to.equal(false)
  })
})
