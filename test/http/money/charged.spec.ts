import { expect } from 'chai'
import { index } from '../../support/loader-texts.js'
import { PluginFolder } from '../../support/loader.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, by, capability } from '${SDK}'
const kind = Type.Union([Type.Literal('whole'), Type.Literal('half'), Type.Literal('twice')], { description: 'How much.' })
export const copy = capability({
  id: 'copy', path: '/v1/copy', title: 'Copy', description: 'Copies as much as there is.',
  price: by('mode', { whole: 4, half: 1, twice: 9 }),
  charged: (input, { got }) => ({ ...input, mode: got }),
  input: Type.Object({ mode: kind, got: kind }),
  output: Type.Object({ got: kind }),
  examples: [{ title: 'One', params: { mode: 'whole', got: 'half' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { copy } from './contract.mjs'
export const run = handle(copy, async ({ got }) => ({ got }))
`

describe('a capability that charges a result by what it holds', () => {
  let folder: PluginFolder
  let gateway: TestGateway
  before(async () => {
    folder = await PluginFolder.make()
    await folder.write('copy', { 'index.mjs': index('copy', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path } })
  })
  after(async () => {
    await gateway.close()
    await folder.remove()
  })

  /** What a call says it cost, in its envelope and headers, and what the balance lost. */
  async function costOf(body: object, headers: Record<string, string> = {}) {
    const before = Number((await gateway.post('/v1/copy', { mode: 'half', got: 'half' })).headers['x-credits-balance'])
    const reply = await gateway.post('/v1/copy', body, headers)
    expect(reply.status, reply.text).to.equal(200)
    const { credits_used: said } = reply.json<{ credits_used: number }>()
    const after = Number(reply.headers['x-credits-balance'])
    return [said, Number(reply.headers['x-credits-used']), before - after]
  }

  it('a lesser result costs less, and what was held beyond that is free again', async () => {
    expect(await costOf({ mode: 'whole', got: 'half' })).to.deep.equal([1, 1, 1])
    expect(await costOf({ mode: 'whole', got: 'whole' })).to.deep.equal([4, 4, 4])
  })

  it('a result never costs more than the call was quoted', async () => {
    expect(await costOf({ mode: 'whole', got: 'twice' })).to.deep.equal([4, 4, 4])
  })

  it('a repeated answer says what it cost, and costs nothing again', async () => {
    const headers = { 'idempotency-key': 'one' }
    expect(await costOf({ mode: 'whole', got: 'half' }, headers)).to.deep.equal([1, 1, 1])
    const [said, , lost] = await costOf({ mode: 'whole', got: 'half' }, headers)
    expect([said, lost]).to.deep.equal([1, 0])
  })
})
