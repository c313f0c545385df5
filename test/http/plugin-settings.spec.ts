import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

const SDK = 'capstan/sdk'
const settings = `import { Type, or } from '${SDK}'
export const settings = Type.Object({ greeting: or(Type.String({ description: 'A word.' }), 'hi'), times: or(Type.Integer({ description: 'A number.' }), 1) })
`
const manifest = (name: string) => `import { plugin } from '${SDK}'
import { settings } from './settings.mjs'
export const manifest = plugin({ name: '${name}', version: '1.0.0', sdk: 2, title: 'Title', settings })
`
const contract = `import { Type, capability, flat, port } from '${SDK}'
const output = Type.Object({}, { additionalProperties: true })
export const made = port({ id: 'thing.made', input: Type.Object({}), output })
export const thing = capability({
  id: 'thing', path: '/v1/thing', title: 'Thing', description: 'Says its settings.', input: Type.Object({}), output, price: flat(0),
  uses: [made], examples: [{ title: 'One', params: {} }],
})
`
const handler = (more = '{ settings }') => `import { handle } from '${SDK}'
import { made, thing } from './contract.mjs'
import { settings } from './settings.mjs'
export const run = handle(thing, async (_, ctx) => ({ handler: ctx.settings, ...(await ctx.call(made, {})) }), ${more})
`
const provider = (vendorSettings: string, more = 'settings,') => `import { Type, or, provider, resource, vendor } from '${SDK}'
import { made } from '../contract.mjs'
import { settings } from '../settings.mjs'
const opened = resource({ id: 'thing.opened', settings, open: (host) => Promise.resolve({ ...host.settings }) })
const maker = vendor({ id: 'maker', title: 'Maker', settings: Type.Object({ ${vendorSettings} }) })
export const make = provider(made, {
  vendor: maker, ${more}
  run: async (_, ctx) => ({ provider: ctx.settings, resource: await ctx.use(opened) }),
})
`
const volume = "volume: or(Type.Integer({ description: 'A number.' }), 3)"

describe('settings of a plugin', () => {
  let folder: PluginFolder
  let gateway: TestGateway | undefined
  let lines: { message: string; reason?: string }[]
  const start = async (files: Readonly<Record<string, string>>, file = ''): Promise<TestGateway> => {
    await folder.write('thing', files)
    const env = { CAPSTAN_PLUGINS: folder.path, CAPSTAN_THING_TIMES: '2' }
    const log = (_level: string, message: string, fields = {}): void => void lines.push({ message, ...fields })
    return (gateway = await startGateway({ bundled: true, file, env, overrides: { log } }))
  }
  const whole = {
    'index.mjs': manifest('thing'),
    'settings.mjs': settings,
    'contract.mjs': contract,
    'handler.mjs': handler(),
    'providers/maker.mjs': provider(volume),
  }
  const seen = async () => (await gateway?.post('/v1/thing', {}))?.json().data
  const reasons = () => lines.filter(({ message }) => message === 'plugin set aside').map(({ reason }) => reason)
  beforeEach(async () => {
    folder = await PluginFolder.make()
    lines = []
  })
  afterEach(async () => {
    await gateway?.close()
    gateway = undefined
    await folder.remove()
  })

  it('reach its handlers, providers and resources, beside those of the vendor, and change with a reload', async () => {
    const running = await start(whole, 'plugins:\n  thing:\n    greeting: hello\n')
    const own = { greeting: 'hello', times: 2 }
    expect(await seen()).to.deep.equal({ handler: own, provider: { ...own, volume: 3 }, resource: { ...own, volume: 3 } })
    await writeFile(join(running.folder, 'capstan.yml'), 'plugins:\n  thing:\n    greeting: bye\n  maker:\n    volume: 4\n')
    expect((await running.admin('POST', '/admin/v1/reload')).status).to.equal(200)
    const other = { greeting: 'bye', times: 2 }
    expect(await seen()).to.deep.equal({ handler: other, provider: { ...other, volume: 4 }, resource: { ...other, volume: 4 } })
  })

  it('are refused under the same name by a vendor of it', async () => {
    await start({ ...whole, 'providers/maker.mjs': provider("greeting: or(Type.String({ description: 'A word.' }), '')") })
    expect(reasons()).to.deep.equal([
      'plugin thing, providers/maker.mjs: the setting "greeting" is declared by the plugin and by vendor maker; rename one',
    ])
  })

  it('are those that its index names', async () => {
    await start({ ...whole, 'index.mjs': index('thing', '', SDK) })
    expect(reasons()).to.deep.equal([
      'plugin thing, handler.mjs: names settings that its plugin does not declare; pass the same object there and to plugin({ settings }) in index',
    ])
  })
})
