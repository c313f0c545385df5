import { expect } from 'chai'
import { capabilityList } from '../../../core/http/discovery/described.js'
import { index } from '../../support/loader-texts.js'
import { load, PluginFolder } from '../../support/loader.js'

const contract = `import { capability, flat, oneOf, or, port, Type } from 'capstan/sdk'
const shape = Type.Object({ text: Type.String({ description: 'Text.' }) })
export const read = port({ id: 'guest.read', input: shape, output: shape })
export const fast = port({ id: 'guest.fast', input: shape, output: shape })
export const slow = port({ id: 'guest.slow', input: shape, output: shape })
const about = { price: flat(1), description: 'Does a thing.', output: shape, work: 'light' }
export const run = capability({ ...about, id: 'guest.run', path: '/v1/guest/run', title: 'Run',
  input: Type.Object({ code: Type.String({ description: 'Code.' }), language: or({ ...oneOf('python', 'javascript'), description: 'Language.' }, 'python') }),
  parts: [{ title: 'Python', params: { code: 'x' } }, { title: 'JavaScript', params: { code: 'x', language: 'javascript' } }],
  examples: [{ title: 'One', params: { code: 'x' } }] })
export const page = capability({ ...about, id: 'guest.page', path: '/v1/guest/page', title: 'Page',
  input: Type.Object({ url: Type.String({ description: 'Address.' }), mode: or({ ...oneOf('fast', 'slow'), description: 'Mode.' }, 'slow') }),
  uses: [fast, slow], requires: ({ mode }) => (mode === 'fast' ? [fast] : [slow]),
  examples: [{ title: 'One', params: { url: 'x' } }] })`
const providers = (vendors: Record<string, string>): string => `import { handle, provider, vendor } from 'capstan/sdk'
import { fast, page, read, run, slow } from '../contract.mjs'
const one = async () => ({ text: 'x' })
const keyed = (id) => vendor({ id, title: id, baseUrl: 'https://api.example.com', secrets: { api_key: id.toUpperCase() + '_API_KEY' } })
export const h = handle(page, one)
${Object.entries(vendors)
  .map(([id, text]) => `export const ${id} = ${text}`)
  .join('\n')}`
const local = (of: string, id: string, more = ''): string =>
  `provider(${of}, { vendor: vendor({ id: '${id}', title: '${id}' }), ${more} run: one })`
const keyed = (of: string, id: string, more = ''): string => `provider(${of}, { vendor: keyed('${id}'), ${more} run: one })`

describe('whether a capability can answer', () => {
  let folder: PluginFolder
  beforeEach(async () => (folder = await PluginFolder.make()))
  afterEach(() => folder.remove())

  async function loaded(vendors: Record<string, string>) {
    await folder.write('guest', {
      'index.mjs': index('guest', '', 'capstan/sdk'),
      'contract.mjs': contract,
      'providers/all.mjs': providers(vendors),
    })
    const registry = await load({ thirdParty: [folder.path] })
    expect(registry.plugins.flatMap(({ reason, remarks }) => [reason, ...remarks]).filter((text) => text !== null)).to.deep.equal([])
    return registry
  }
  const javascript = "serves: ({ language }) => language === 'javascript',"
  const python = "serves: ({ language }) => language === 'python',"

  it('is said with its limits where only some of its parts have a live provider, alike in every list', async () => {
    const registry = await loaded({ a: local('run', 'engine', javascript), b: keyed('run', 'acme', python) })
    const { live, reason, limits } = registry.liveness('guest.run')
    expect({ live, reason }).to.deep.equal({ live: true, reason: null })
    expect(limits).to.match(/^JavaScript only: acme: set ACME_API_KEY/)
    expect(JSON.stringify(capabilityList(registry))).to.contain(JSON.stringify(limits))
  })

  it('has no limits where each part has one, and is dormant where none has', async () => {
    const whole = await loaded({ a: local('run', 'engine', javascript), b: local('run', 'snake', python) })
    expect(whole.liveness('guest.run')).to.include({ live: true, limits: null })
    const none = await loaded({ a: keyed('run', 'engine', javascript), b: local('run', 'snake', 'serves: () => false,') })
    expect(none.liveness('guest.run')).to.include({ live: false, limits: null })
  })

  it('takes each word of its mode for a part, the default first', async () => {
    const registry = await loaded({ a: local('fast', 'quick'), b: keyed('slow', 'acme') })
    const { live, limits, modes } = registry.liveness('guest.page')
    expect({ live, modes }).to.deep.equal({ live: true, modes: { field: 'mode', live: ['fast'] } })
    expect(limits).to.match(/^mode fast only: guest\.slow: set ACME_API_KEY/)
  })

  it('a provider is dormant while a port that it uses has no live provider, and so is whoever uses that one', async () => {
    const reading = { a: keyed('read', 'acme'), b: local('fast', 'quick', 'uses: [read],'), c: local('slow', 'late', 'uses: [fast],') }
    const registry = await loaded(reading)
    for (const id of ['guest.fast', 'guest.slow']) expect(registry.liveness(id).reason, id).to.contain('set ACME_API_KEY')
    expect(registry.liveness('guest.page')).to.include({ live: false })
    const there = await loaded({ ...reading, a: local('read', 'here') })
    expect(there.liveness('guest.page')).to.include({ live: true, limits: null })
  })

  it('a rule of a provider that throws makes nothing dormant', async () => {
    const registry = await loaded({ a: local('run', 'engine', "serves: () => { throw new Error('no') },") })
    expect(registry.liveness('guest.run')).to.include({ live: true, limits: null })
  })
})
