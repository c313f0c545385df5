/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-base-to-string -- what follows is wrong on purpose */
import {
  by,
  capability,
  Fault,
  handle,
  httpProvider,
  list,
  nullable,
  oneOf,
  or,
  plugin,
  plus,
  port,
  provider,
  resource,
  SchemaCompiler,
  Type,
  vendor,
  type Given,
  type Static,
} from '../../core/sdk/index.js'
import { merged } from '../../plugins/_shared/merged.js'
import { acme, input, search, serp } from './compiles.js'

const output = Type.Object({ answer: Type.String() })
const base = { id: 'x', path: '/v1/x', title: 'x', description: 'x', input, output, examples: [] }
const pair = port({ id: 'p', input: Type.Object({ q: Type.String() }), output: Type.Object({ a: Type.String(), b: Type.Number() }) })
const reply = Type.Object({ hits: Type.Array(Type.String()) })
const named = Type.Object({ name: or(Type.String(), ''), times: or(Type.Integer(), 1) })

// @ts-expect-error a mode without a price
export const a = capability({ ...base, price: by('mode', { serp: 1, ai: 2 }) })
// @ts-expect-error a price on a field that does not exist
export const b = capability({ ...base, price: by('depth', { serp: 1, ai: 2, deep: 3 }) })
// @ts-expect-error an addition for a field that does not exist
export const b2 = capability({ ...base, price: plus(by('mode', { serp: 1, ai: 2, deep: 3 }), [{ when: 'depth', is: 'deep', add: 1 }]) })
// @ts-expect-error an addition for a value of another type
export const b3 = capability({ ...base, price: plus(by('mode', { serp: 1, ai: 2, deep: 3 }), [{ when: 'num_results', is: true, add: 1 }]) })
// @ts-expect-error a capability without a price
export const b4 = capability({ ...base })
// @ts-expect-error a deadline that reads a field that does not exist
export const b5 = capability({ ...base, price: by('mode', { serp: 1, ai: 2, deep: 3 }), timeoutMs: ({ depth }) => Number(depth) })
// @ts-expect-error a default outside the values
export const c = or(oneOf('a', 'b'), 'c')
// @ts-expect-error null for what is not nullable
export const c2 = or(Type.String(), null)
// @ts-expect-error a default of another type under nullable
export const c3 = or(nullable(Type.Integer()), 'x')
// @ts-expect-error no values at all
export const c4 = oneOf()
// @ts-expect-error a required field missing
export const d: Given<typeof input> = {}
// @ts-expect-error a value outside the values
export const d2: Given<typeof input> = { query: 'x', mode: 'fast' }
// @ts-expect-error a handler's input has its defaults
export const d3: Static<typeof input> = { query: 'x' }
// @ts-expect-error a handler result of the wrong type
export const e = handle(search, () => Promise.resolve({ answer: 1 }))
// @ts-expect-error a handler that reads a field that does not exist
export const e2 = handle(search, (i) => Promise.resolve({ answer: i.question }))
// @ts-expect-error a nested call without a required field
export const f = handle(search, async (_i, ctx) => await ctx.call(serp, {}))
// @ts-expect-error a nested call with a field of the wrong type
export const f2 = handle(search, async (_i, ctx) => await ctx.call(serp, { query: 1 }))
// @ts-expect-error a gathered question with a field that does not exist
export const f3 = handle(search, async (_i, ctx) => ({ answer: (await ctx.gather(serp, { query: 'x', page: 1 })).join() }))
// @ts-expect-error a handler has no vendor to call
export const f4 = handle(search, async (_i, ctx) => ({ answer: await ctx.api.text({ path: '/' }) }))
// @ts-expect-error an incomplete map
export const g = httpProvider(pair, { vendor: acme, request: () => ({ path: '/' }), reply: Type.Object({}), map: () => ({ a: 'x' }) })
// @ts-expect-error a map that reads what the reply does not have
export const g2 = httpProvider(serp, { vendor: acme, request: () => ({ path: '/' }), reply, map: (r) => ({ answer: r.items }) })
// @ts-expect-error a request that reads what the input does not have
export const g3 = httpProvider(serp, { vendor: acme, request: (i) => ({ path: i.url }), reply, map: () => null })
// @ts-expect-error a method that is none
export const g4 = httpProvider(serp, { vendor: acme, request: () => ({ method: 'FETCH', path: '/' }), reply, map: () => null })
// @ts-expect-error a provider without a vendor
export const g5 = httpProvider(serp, { request: () => ({ path: '/' }), reply, map: () => null })
// @ts-expect-error a result of the wrong type from a run
export const i = provider(serp, { vendor: acme, run: () => Promise.resolve({ answer: 1 }) })
// @ts-expect-error an answer read with another shape than declared
export const i2 = provider(serp, { vendor: acme, run: async (_i, ctx) => ({ answer: (await ctx.api.json({ path: '/' }, reply)).answer }) })
// @ts-expect-error a setting that neither vendor nor plugin declares
export const i3 = provider(serp, { vendor: acme, run: (_i, ctx) => Promise.resolve({ answer: ctx.settings.size }) })
// @ts-expect-error a setting of another type
export const i4 = provider(serp, { vendor: acme, settings: named, run: (_i, ctx) => Promise.resolve({ answer: ctx.settings.times }) })
// @ts-expect-error a setting of the plugin without naming its settings
export const i5 = handle(search, (_i, ctx) => Promise.resolve({ answer: ctx.settings.name }))
// @ts-expect-error a setting that the plugin of a resource does not declare
export const i6 = resource({ id: 'x', settings: named, open: (host) => Promise.resolve(host.settings.size) })
// @ts-expect-error a vendor without a title
export const j = vendor({ id: 'x' })
// @ts-expect-error signing with what is no text
export const j2 = vendor({ id: 'x', title: 'X', auth: () => ({ headers: { 'x-key': 1 } }) })
// @ts-expect-error a fault of an unknown kind
export const k = new Fault('gone', 'x')
// @ts-expect-error a manifest without the number of the sdk
export const l = plugin({ name: 'x', version: '1', title: 'X' })
// @ts-expect-error a port without an output
export const m = port({ id: 'x', input })
// @ts-expect-error an input that is no object
export const m2 = port({ id: 'x', input: Type.String(), output })
export function unchecked(value: unknown): string {
  // @ts-expect-error a value that was not checked
  return new SchemaCompiler().compile(output).check(value) ? '' : value.answer
}

const record = { provider: 'a', data: { name: 'x', place: { city: 'y' }, jobs: [{ company: 'z' }], skills: ['q'] } }
// @ts-expect-error a key for what is no list
export const m = merged([record], { lists: { name: 'x' } })
// @ts-expect-error a key that the items do not have
export const m2 = merged([record], { lists: { jobs: 'title' } })
// @ts-expect-error a field name as the key of items that have no fields
export const m3 = merged([record], { lists: { skills: 'length' } })
// @ts-expect-error a field that is not there
export const m4 = merged([record], { whole: ['place.street'] })
// @ts-expect-error where a field came from that is not there
export const m5 = merged([record]).sources['place.street']
// @ts-expect-error what may be nothing, because there may be no answers
export const m6 = merged([record].slice(1)).data
// @ts-expect-error answers of a port of another shape
export const m7 = handle(search, async (i, ctx) => ({ answer: (await ctx.gather(serp, { query: i.query }))[0]?.data.hits ?? '' }))
// @ts-expect-error a rule that is no condition
export const m8 = handle(search, async (i, ctx) => (await ctx.gather(serp, { query: i.query }, { until: () => 1 }), { answer: '' }))
// @ts-expect-error work aside without a time
export const m9 = handle(search, async (i, ctx) => (await ctx.aside((side) => side.call(serp, { query: i.query })), { answer: '' }))
// @ts-expect-error a result of work aside that may be null
export const m10 = handle(search, (i, ctx) => ctx.aside((side) => side.call(serp, { query: i.query }), { withinMs: 1 }))
// @ts-expect-error an input that the port does not take
export const m11 = handle(search, (_, ctx) => Promise.resolve({ answer: String(ctx.providers(serp)[0]?.serves({ text: '' })) }))
const words = { title: 'W', description: 'W.', response: Type.Array(Type.String()) }
// @ts-expect-error a list that answers something else than it declares
export const l = list({ ...words, read: () => [7] })
// @ts-expect-error a query field that is not declared
export const l2 = list({ ...words, query: Type.Object({ most: Type.Integer() }), read: ({ query }) => [query.least] })
// @ts-expect-error a list that calls a vendor, which is not free
export const l3 = list({ ...words, read: async (ctx) => [(await ctx.call(serp, { query: 'x' })).answer] })
