import { expect } from 'chai'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat, port, scratchFile } from '${SDK}'
const output = Type.Object({ bytes: Type.Integer(), by: Type.String() })
export const counters = port({ id: 'count', input: Type.Object({ file: scratchFile }), output: Type.Object({ bytes: Type.Integer() }) })
export const count = capability({
  id: 'count', path: '/v1/count', title: 'Count', description: 'Counts the bytes of a text.', price: flat(1), vendors: counters,
  input: Type.Object({ text: Type.String({ description: 'The text.' }) }),
  output, examples: [{ title: 'One', params: { text: 'abc' } }],
})
export const twice = capability({
  id: 'twice', path: '/v1/twice', title: 'Twice', description: 'Requests a count.', price: flat(1), uses: [count],
  input: Type.Object({ text: Type.String({ description: 'The text.' }) }),
  output, examples: [{ title: 'One', params: { text: 'abc' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { count, counters, twice } from './contract.mjs'
export const counting = handle(count, async ({ text }, ctx) => {
  const file = await ctx.scratch.write(new TextEncoder().encode(text))
  const [{ provider, data }] = await ctx.gather(counters, { file }, { until: (all) => all.length > 0, atOnce: 1 })
  return { ...data, by: provider }
})
export const asking = handle(twice, ({ text }, ctx) => ctx.call(count, { text: text + text }))
`
const provider = (vendor: string, run: string): string => `import { Fault, provider, vendor } from '${SDK}'
import { counters } from '../contract.mjs'
const maker = vendor({ id: '${vendor}', title: 'Maker', docs: 'https://example.com/' })
export const make = provider(counters, { vendor: maker, run: async ({ file }) => { ${run} } })
`

describe("vendors whose input differs from the caller's", () => {
  let folder: PluginFolder
  let gateway: TestGateway
  before(async () => {
    folder = await PluginFolder.make()
    await folder.write('count', {
      'index.mjs': index('count', '', SDK),
      'contract.mjs': contract,
      'handler.mjs': handler,
      'providers/first.mjs': provider('first', "throw new Fault('missing', 'nothing')"),
      'providers/second.mjs': provider('second', 'return { bytes: file.size }'),
    })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path } })
  })
  after(async () => {
    await gateway.close()
    await folder.remove()
  })

  it('get what the handler made of the input, in the order of the waterfall of the capability', async () => {
    const reply = await gateway.post('/v1/count', { text: 'four' })
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json()
    expect(data).to.deep.equal({ bytes: 4, by: 'second' })
    expect(metadata).to.deep.include({ provider_used: 'second', providers_tried: ['first', 'second'] })
  })

  it('serve the same capability when another one calls it with the input of callers', async () => {
    const reply = await gateway.post('/v1/twice', { text: 'four' })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json().data).to.deep.equal({ bytes: 8, by: 'second' })
  })

  it('do not show in what callers may send', async () => {
    const reply = await gateway.post('/v1/count', { file: { id: '0'.repeat(32), size: 1 } })
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('text')
  })
})
