import { expect } from 'chai'
import { index } from '../../test/support/loader-texts.js'
import { PluginFolder } from '../../test/support/loader.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'

const SDK = 'capstan/sdk'
const contract = `import { capability, flat, Type } from '${SDK}'
export const look = capability({
  id: 'look', path: '/v1/look', title: 'Look', description: 'Looks a company up.', price: flat(1),
  input: Type.Object({ company_id: Type.String({ description: 'Domain.' }) }),
  output: Type.Object({ found: Type.Unknown() }),
  examples: [{ title: 'One', params: { company_id: 'acme.test' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { companiesFind } from 'capstan/contracts/companies'
import { look } from './contract.mjs'
export const run = handle(look, async ({ company_id }, ctx) => ({
  found: ctx.has(companiesFind) ? await ctx.aside((side) => side.call(companiesFind, { domain: company_id }), { withinMs: 20_000 }) : 'not live',
}))
`

describe('companies.find asked by another capability', function () {
  this.timeout(120_000)
  let world: SiteWorld
  let folder: PluginFolder

  before(async function () {
    needsProgram(this, 'openssl')
    folder = await PluginFolder.make()
    await folder.write('look', { 'index.mjs': index('look', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    world = await SiteWorld.start({ env: { CAPSTAN_PLUGINS: folder.path } })
    await world.site('acme.test', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title><meta name="description" content="Kettles">')
    })
  })
  after(async () => {
    await world?.close()
    await folder?.remove()
  })

  async function looked(company_id: string) {
    const reply = await world.gateway.post('/v1/look', { company_id })
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<{ data: { found: { company_name: string } | null }; credits_used: number }>()
  }

  it('tells a company of its domain, unbilled, in any notation', async () => {
    const { data, credits_used } = await looked('www.ACME.test')
    expect(data.found).to.deep.include({ company_name: 'Acme', domain: 'acme.test', description: 'Kettles' })
    expect(credits_used).to.equal(1)
  })

  it('has nothing for a domain that nobody knows, nor for what is no domain', async () => {
    expect((await looked('nobody.test')).data.found).to.equal(null)
    expect((await looked('co.uk')).data.found).to.equal(null)
  })
})
