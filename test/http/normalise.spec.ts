import { expect } from 'chai'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

const SDK = 'capstan/sdk'
const contract = (normalise: string): string => `import { Type, capability, flat, or, plus } from '${SDK}'
const kinds = or(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Kinds.' }), 'web')
const listed = (given) => [...new Set([given].flat().flatMap((text) => text.split(',')).map((text) => text.trim()).filter(Boolean))]
export const copy = capability({
  id: 'copy', path: '/v1/copy', title: 'Copy', description: 'Lists kinds.',
  price: plus(flat(1), [{ when: 'kinds', has: 'news', add: 4 }]),
  input: Type.Object({ kinds }),
  output: Type.Object({ kinds: Type.Array(Type.String()) }),
  mode: 'kinds',
  examples: [{ title: 'One', params: { kinds: 'web, news' } }],
  ${normalise}
  check: ({ kinds }) => (kinds.includes('bad') ? [{ loc: ['kinds'], msg: 'bad is no kind' }] : []),
})
`
const NORMALISE = 'normalise: ({ kinds, ...rest }) => ({ ...rest, kinds: listed(kinds) }),'
const handler = `import { handle } from '${SDK}'
import { copy } from './contract.mjs'
export const run = handle(copy, async ({ kinds }) => ({ kinds }))
`

describe('a capability that normalises its input', () => {
  let folder: PluginFolder
  let gateway: TestGateway
  before(async () => {
    folder = await PluginFolder.make()
    await folder.write('copy', { 'index.mjs': index('copy', '', SDK), 'contract.mjs': contract(NORMALISE), 'handler.mjs': handler })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path } })
  })
  after(async () => {
    await gateway.close()
    await folder.remove()
  })

  for (const kinds of [' web , news,news', ['news', ' web', '']])
    it(`has it so in price and handler, however the list was given: ${JSON.stringify(kinds)}`, async () => {
      const reply = await gateway.post('/v1/copy', { kinds })
      expect(reply.status, reply.text).to.equal(200)
      expect(reply.json()).to.have.nested.property('data.kinds').that.has.members(['web', 'news'])
      expect(reply.headers['x-credits-used']).to.equal('5')
    })

  it('has it so in the estimate and through the one endpoint for all, with defaults filled in before', async () => {
    const estimate = await gateway.post('/v1/estimate', { capability: 'copy', params: { kinds: 'web, news' } })
    expect(estimate.json(), estimate.text).to.have.nested.property('credits', 5)
    const agent = await gateway.post('/v1/agent', { capability: 'copy', params: {} })
    expect(agent.json(), agent.text).to.have.nested.property('data.kinds').that.deep.equals(['web'])
  })

  it('is checked by the rules in that form', async () => {
    const reply = await gateway.post('/v1/copy', { kinds: 'web, bad ' })
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('bad is no kind')
  })

  it('has it so when a large body was read in another thread', async () => {
    const reply = await gateway.post('/v1/copy', { kinds: ` news,${' '.repeat(300_000)}web` })
    expect(reply.status, reply.text.slice(0, 300)).to.equal(200)
    expect(reply.json()).to.have.nested.property('data.kinds').that.deep.equals(['news', 'web'])
  })
})
