import { expect } from 'chai'
import { diagnose } from '../../../core/diagnosis/types.js'
import { load, PluginFolder, type FakeConfig } from '../../support/loader.js'

const plugin = (id: string): string => `import { plugin, Type } from 'capstan/sdk'
export const settings = Type.Object({ project: Type.String({ default: '${id === 'given' ? 'p1' : ''}', description: 'Project.' }) })
export const m = plugin({ name: 'acme', version: '1', sdk: 2, title: 'Acme', settings })`
const contract = `import { port, Type } from 'capstan/sdk'
const shape = Type.Object({ text: Type.String({ description: 'Text.' }) })
export const verify = port({ id: 'acme.verify', input: shape, output: shape })
export const find = port({ id: 'acme.find', input: shape, output: shape })`
const providers = (needs: string): string => `import { httpProvider, Type, vendor } from 'capstan/sdk'
import { settings } from '../index.mjs'
import { find, verify } from '../contract.mjs'
const acme = vendor({ id: 'acme', title: 'Acme', baseUrl: 'https://api.acme.example', secrets: { api_key: 'ACME_API_KEY' },
  optionalSecrets: { finder_key: 'ACME_FINDER_KEY' },
  settings: Type.Object({ sender: Type.String({ default: '', description: 'Sender.' }), region: Type.String({ default: 'eu', description: 'Region.' }) }) })
const common = { vendor: acme, request: () => ({ path: '/' }), reply: Type.Object({}), map: () => null }
export const one = httpProvider(verify, common)
export const two = httpProvider(find, { ...common, needs: ${needs} })`

describe('what one provider needs beyond its vendor', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  async function loaded(needs: readonly string[], config: FakeConfig = {}) {
    await folder.write('acme', {
      'index.mjs': plugin('acme'),
      'contract.mjs': contract,
      'providers/acme.mjs': providers(JSON.stringify(needs)),
    })
    const registry = await load({ thirdParty: [folder.path], config })
    const of = (id: string) => registry.ports.get(id)?.all.map(({ state, reason, settings }) => ({ state, reason, settings }))[0]
    return { registry, verify: of('acme.verify'), find: of('acme.find') }
  }
  const key = { ACME_API_KEY: 'k' }

  it('is dormant without a secret, and says which variable to set, while others of its vendor are live', async () => {
    const { verify, find } = await loaded(['finder_key'], { env: key })
    expect(verify?.state).to.equal('live')
    expect(find).to.deep.include({ state: 'dormant', reason: 'set ACME_FINDER_KEY (or vendors.acme.finder_key)' })
    expect(find?.settings).to.include('ACME_FINDER_KEY')
  })

  it('is live with it, and an empty value is none', async () => {
    expect((await loaded(['finder_key'], { env: { ...key, ACME_FINDER_KEY: 'f' } })).find).to.deep.include({ state: 'live', reason: null })
    expect((await loaded(['finder_key'], { env: { ...key, ACME_FINDER_KEY: '' } })).find?.state).to.equal('dormant')
  })

  it('is dormant without settings of the vendor or of the plugin, one that has a default is there', async () => {
    const { find } = await loaded(['sender', 'region', 'project'], { env: key })
    expect(find).to.deep.include({
      state: 'dormant',
      reason: 'set CAPSTAN_ACME_SENDER (or plugins.acme.sender); set CAPSTAN_ACME_PROJECT (or plugins.acme.project)',
    })
    expect(find?.settings).to.include('CAPSTAN_ACME_PROJECT')
    expect((await loaded(['region'], { env: key })).find?.state).to.equal('live')
  })

  it('says with what the vendor itself lacks, each once', async () => {
    expect((await loaded(['api_key', 'finder_key'])).find?.reason).to.equal(
      'set ACME_API_KEY (or vendors.acme.api_key); set ACME_FINDER_KEY (or vendors.acme.finder_key)',
    )
  })

  it('is broken when it needs what nobody declares', async () => {
    const { verify, find } = await loaded(['finder_kee'], { env: key })
    expect(verify?.state).to.equal('live')
    expect(find).to.deep.include({ state: 'broken' })
    expect(find?.reason).to.contain('needs "finder_kee", which is neither a secret or setting of vendor acme nor a setting of its plugin')
    expect((await loaded(['toString'], { env: key })).find?.state).to.equal('broken')
  })

  it('is shown by doctor and in the reason of its port', async () => {
    await folder.write('acme', {
      'index.mjs': plugin('acme'),
      'contract.mjs': `${contract}
import { capability, flat } from 'capstan/sdk'
export const finder = capability({ ...find, path: '/v1/acme/find', title: 'Find', description: 'Finds.', price: flat(1), examples: [{ title: 'One', params: { text: 'a' } }] })`.replace(
        'export const find',
        'const find',
      ),
      'providers/acme.mjs': providers('["finder_key"]').replace('{ find, verify }', '{ finder as find, verify }'),
    })
    const registry = await load({ thirdParty: [folder.path], config: { env: key } })
    const { capabilities } = diagnose(registry, [], { probes: new Map(), suspensions: [] })
    const shown = capabilities.find(({ id }) => id === 'acme.find')
    const reason = 'set ACME_FINDER_KEY (or vendors.acme.finder_key)'
    expect(shown?.answers).to.equal(false)
    expect(shown?.ports[0]?.providers[0]).to.deep.include({ vendor: 'acme', state: 'dormant', reason })
    expect(registry.liveness('acme.find').reason).to.contain(reason)
  })
})
