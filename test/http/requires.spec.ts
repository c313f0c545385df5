import { expect } from 'chai'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { expectProblem } from '../support/problem.js'

const SDK = 'capstan/sdk'
const MERGED = new URL('../../plugins/_shared/merged.js', import.meta.url).href
const io = `input: Type.Object({ with: or(Type.Unsafe({ ...oneOf('nothing', 'plain', 'made', 'other'), description: 'What it needs.' }), 'nothing') }),
  output: Type.Object({ text: Type.String() }), price: flat(3), examples: [{ title: 'One', params: {} }]`
const thing = {
  'index.mjs': index('thing', '', SDK),
  'contract.mjs': `import { Type, capability, flat, oneOf, or, port } from '${SDK}'
import { other } from '../other/contract.mjs'
const face = { input: Type.Object({}), output: Type.Object({ text: Type.String() }) }
export const plain = port({ id: 'thing.plain', ...face })
export const made = port({ id: 'thing.made', ...face })
export const thing = capability({
  id: 'thing', mode: 'with', path: '/v1/thing', title: 'Thing', description: 'Does a thing.', ${io}, uses: [plain],
  requires: (input) => (input.with === 'nothing' ? [] : [{ plain, made, other }[input.with]]),
})
`,
  'handler.mjs': `import { handle } from '${SDK}'
import { other } from '../other/contract.mjs'
import { made, plain, thing } from './contract.mjs'
export const run = handle(thing, async (input, ctx) => {
  if (input.with === 'nothing') return { text: 'none' }
  if (input.with !== 'other') return await ctx.call(input.with === 'plain' ? plain : made, {})
  const aside = await ctx.aside((side) => side.call(made, {}), { withinMs: 500, about: 'the maker' })
  return { text: (await ctx.call(other, {})).text + JSON.stringify(aside) }
})
`,
  'providers/plain.mjs': `import { provider, vendor } from '${SDK}'
import { plain } from '../contract.mjs'
export const p = provider(plain, { vendor: vendor({ id: 'plainer', title: 'Plainer' }), run: async () => ({ text: 'plain' }) })
`,
  'providers/made.mjs': `import { provider, vendor } from '${SDK}'
import { made } from '../contract.mjs'
export const p = provider(made, { vendor: vendor({ id: 'maker', title: 'Maker', secrets: { key: 'MAKER_API_KEY' } }), run: async () => ({ text: 'made' }) })
`,
}
const other = {
  'index.mjs': index('other', '', SDK),
  'contract.mjs': `import { Type, capability, flat, oneOf, or, port } from '${SDK}'
export const inner = port({ id: 'other.inner', input: Type.Object({}), output: Type.Object({ text: Type.String() }) })
export const other = capability({ id: 'other', path: '/v1/other', title: 'Other', description: 'Does another.', ${io}, uses: [inner] })
`,
  'handler.mjs': `import { handle } from '${SDK}'
import { inner, other } from './contract.mjs'
export const run = handle(other, async (_, ctx) => await ctx.call(inner, {}))
`,
  'providers/inner.mjs': `import { provider, vendor } from '${SDK}'
import { inner } from '../contract.mjs'
export const p = provider(inner, { vendor: vendor({ id: 'insider', title: 'Insider', secrets: { key: 'INSIDER_API_KEY' } }), run: async () => ({ text: 'inner' }) })
`,
}

const merging = {
  'index.mjs': index('merging', '', SDK),
  'contract.mjs': `import { Type, capability, flat, list, nullable } from '${SDK}'
export const both = capability({
  id: 'both', path: '/v1/both', title: 'Both', description: 'Merges.', input: Type.Object({}), price: flat(3), examples: [{ title: 'One', params: {} }],
  output: Type.Object({ name: nullable(Type.String()), city: nullable(Type.String()), words: Type.Array(Type.String()) }),
  lists: { vendors: list({ title: 'V', description: 'V.', response: Type.Array(Type.String()), read: (ctx) => ctx.providers().map(({ id }) => id) }) },
})
`,
  'handler.mjs': `import { Fault, handle } from '${SDK}'
import { merged } from '${MERGED}'
import { both } from './contract.mjs'
export const run = handle(both, async (input, ctx) => {
  const all = merged(await ctx.gather(both, input))
  if (all === null) throw new Fault('missing', 'No record.')
  for (const { field } of all.disagreements) ctx.note(field + ' from ' + all.sources[field].join())
  return all.data
})
`,
  ...Object.fromEntries(
    [
      ['first', "{ name: null, city: 'Ulm', words: ['a'] }"],
      ['second', "{ name: 'Ada', city: 'Bonn', words: ['b', 'a'] }"],
    ].map(([id = '', data]) => [
      `providers/${id}.mjs`,
      `import { provider, vendor } from '${SDK}'
import { both } from '../contract.mjs'
const maker = vendor({ id: '${id}', title: 'V', secrets: { key: '${id.toUpperCase()}_API_KEY' } })
export const p = provider(both, { vendor: maker, run: async () => (${data}) })
`,
    ]),
  ),
}

describe('what an input cannot do without', () => {
  let folder: PluginFolder
  let gateway: TestGateway
  const start = async (env: Record<string, string> = {}) => {
    await folder.write('other', other)
    await folder.write('thing', thing)
    await folder.write('merging', merging)
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, ...env } })
  }
  /** Entries of the ledger, holds that were released included. */
  const entries = async () => (await gateway.get('/v1/calls')).json<{ total: number }>().total
  beforeEach(async () => (folder = await PluginFolder.make()))
  afterEach(async () => {
    await gateway.close()
    await folder.remove()
  })

  it('is 503 before any credit is held, naming the setting of the port that misses it', async () => {
    await start()
    const before = await gateway.money()
    const { key } = await gateway.newAccount(0)
    for (const [needs, name] of [
      ['made', 'MAKER_API_KEY'],
      ['other', 'INSIDER_API_KEY'],
    ] as const) {
      const reply = await gateway.post('/v1/thing', { with: needs })
      const { error } = expectProblem(reply, 'capability-unavailable')
      expect(error?.detail)
        .to.contain(name)
        .and.to.match(/ Live here: with nothing and plain only\.$/)
      expectProblem(await gateway.send('/v1/thing', { method: 'POST', body: { with: needs }, key }), 'capability-unavailable')
      expectProblem(await gateway.post('/v1/agent', { capability: 'thing', params: { with: needs } }), 'capability-unavailable')
    }
    expect(await gateway.money()).to.deep.equal(before)
    expect(await entries()).to.equal(0)
  })

  it('is not offered as a mode by the list of live tools, and by every other list it is', async () => {
    await start()
    const modes = async (query: string) => {
      const tools = (await gateway.get(`/v1/tools?format=claude${query}`)).json<
        { name: string; input_schema: { properties: { with: { enum: string[]; default?: string } } } }[]
      >()
      return tools.find(({ name }) => name === 'thing')?.input_schema.properties.with
    }
    expect((await modes(''))?.enum).to.deep.equal(['nothing', 'plain', 'made', 'other'])
    expect(await modes('&live=true')).to.deep.include({ enum: ['nothing', 'plain'], default: 'nothing' })
    await gateway.close()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, MAKER_API_KEY: 'k', INSIDER_API_KEY: 'k' } })
    expect((await modes('&live=true'))?.enum).to.deep.equal(['nothing', 'plain', 'made', 'other'])
  })

  it('leaves other inputs of the same capability alone', async () => {
    await start()
    for (const [needs, text] of [
      ['nothing', 'none'],
      ['plain', 'plain'],
    ] as const) {
      const reply = await gateway.post('/v1/thing', { with: needs })
      expect(reply.json().data, reply.text).to.deep.equal({ text })
      expect(reply.json().credits_used).to.equal(3)
    }
    expect(await entries()).to.equal(2)
  })

  it('may be another capability, which is then called unbilled, and whose vendor is named', async () => {
    await start({ INSIDER_API_KEY: 'x' })
    const { balance } = await gateway.money()
    const { data, metadata, credits_used } = (await gateway.post('/v1/thing', { with: 'other' })).json()
    expect(data).to.deep.equal({ text: 'innernull' })
    expect(credits_used).to.equal(3)
    expect((await gateway.money()).balance).to.equal(balance - 3)
    expect(metadata).to.deep.include({ provider_used: 'insider', providers_tried: ['insider'] })
    expect(metadata.notes?.[0]).to.contain('the maker: ').and.to.contain('MAKER_API_KEY')
    expect(await entries()).to.equal(1)
  })

  it('is one of its own vendors for a handler that is made of nothing else, and the handler merges those there are', async () => {
    await start()
    const { error } = expectProblem(await gateway.post('/v1/both', {}), 'capability-unavailable')
    expect(error?.detail).to.contain('FIRST_API_KEY').and.to.contain('SECOND_API_KEY')
    expect(await entries()).to.equal(0)
    expect((await gateway.get('/v1/both/vendors')).json<unknown>()).to.deep.equal([])
    const listed = (await gateway.get('/v1/capabilities')).json<{
      capabilities: { id: string; live: boolean; ports: { id: string }[] }[]
    }>()
    const entry = listed.capabilities.find(({ id }) => id === 'both')
    expect([entry?.live, entry?.ports.map(({ id }) => id)]).to.deep.equal([false, ['both']])
    await gateway.close()
    await start({ FIRST_API_KEY: 'x', SECOND_API_KEY: 'y' })
    const { data, metadata } = (await gateway.post('/v1/both', {})).json()
    expect(data).to.deep.equal({ name: 'Ada', city: 'Ulm', words: ['a', 'b'] })
    expect(metadata).to.deep.include({ provider_used: 'merged', providers_tried: ['first', 'second'], notes: ['city from first'] })
    expect((await gateway.get('/v1/both/vendors')).json<unknown>()).to.deep.equal(['first', 'second'])
  })

  it('is there once the setting is', async () => {
    await start({ MAKER_API_KEY: 'x', INSIDER_API_KEY: 'y' })
    expect((await gateway.post('/v1/thing', { with: 'made' })).json().data).to.deep.equal({ text: 'made' })
    const { data, metadata } = (await gateway.post('/v1/thing', { with: 'other' })).json()
    expect(data).to.deep.equal({ text: 'inner{"text":"made"}' })
    expect(metadata.provider_used).to.equal('merged')
  })
})
