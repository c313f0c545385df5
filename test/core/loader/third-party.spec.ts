import { expect } from 'chai'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../../core/runtime/clock.js'
import { lockPlugins } from '../../../core/loader/lock.js'
import type { Registry } from '../../../core/loader/types.js'
import { mapReply } from '../../../core/sdk/index.js'
import { load, PluginFolder } from '../../support/loader.js'
import { contract, index, provider } from '../../support/loader-texts.js'

const guest = 'capstan/sdk'
const observer = (vendor: string, text: string, more = ''): string => `import { httpProvider, Type } from 'capstan/sdk'
import { observe } from 'capstan/contracts/weather'
export const shared = { observe, Type }
export const p = httpProvider(observe, { vendor: { id: '${vendor}', title: 'V', baseUrl: 'https://v.example', ...{ ${more} } }, request: () => ({ path: '/' }), reply: Type.Object({}), map: () => ({ summary: '${text}', degrees: null }) })
`

describe('third-party plugins', () => {
  let folder: PluginFolder
  let lockFile: string
  beforeEach(async () => {
    folder = await PluginFolder.make()
    lockFile = join(folder.path, 'plugins.lock')
  })
  afterEach(() => folder.remove())

  const loadFolder = (clock: Clock = systemClock): Promise<Registry> => load({ thirdParty: [folder.path], lockFile, clock })
  const reasonOf = (registry: Registry, name: string): string => registry.plugins.find((plugin) => plugin.name === name)?.reason ?? 'live'
  const remarksOf = (registry: Registry, name: string): readonly string[] =>
    registry.plugins.find((plugin) => plugin.name === name)?.remarks ?? []
  const summary = (registry: Registry, vendor: string): unknown => {
    const found = registry.ports.get('weather.observe')?.all.find((each) => each.vendor.id === vendor)
    return found === undefined ? null : (mapReply(found.contribution, {}, {}) as { summary: unknown }).summary
  }

  it('are set aside for an example that is no input of their own capability', async () => {
    const wrong = contract("examples: [{ title: 'One', params: { text: 1 } }]", guest)
    await folder.write('guest', { 'index.mjs': index('guest', '', guest), 'contract.mjs': wrong })
    expect(reasonOf(await loadFolder(), 'guest')).to.contain('the example "One" of thing is not a valid input: /text must be string')
  })

  describe('that are in use and cannot be read any more', () => {
    const write = (text: string) =>
      folder.write('guest', { 'index.mjs': index('guest', '', guest), 'providers/acme.mjs': observer('acme', text) })
    const outdatedOf = (registry: Registry): unknown => registry.plugins.find(({ name }) => name === 'guest')?.outdated
    const again = (before: Registry): Promise<Registry> => load({ thirdParty: [folder.path], lockFile, before: before.guests })

    it('stay as they were, and are named with the reason, until their files can be read again', async () => {
      await write('first')
      const first = await loadFolder()
      expect(outdatedOf(first)).to.equal(null)
      await folder.write('guest', { 'providers/acme.mjs': 'export const p = provider(' })
      const second = await again(first)
      expect(reasonOf(second, 'guest')).to.equal('live')
      expect(outdatedOf(second)).to.be.a('string').and.include('acme.mjs')
      expect(summary(second, 'acme')).to.equal('first')
      expect(second.contributions.filter((each) => first.contributions.includes(each)).map(({ name }) => name)).to.include('guest')
      const third = await again(second)
      expect(summary(third, 'acme')).to.equal('first')
      await write('fourth')
      const fourth = await again(third)
      expect([outdatedOf(fourth), summary(fourth, 'acme')]).to.deep.equal([null, 'fourth'])
    })

    it('stay as they were when their index is being written', async () => {
      await write('first')
      const first = await loadFolder()
      await folder.write('guest', { 'index.mjs': '' })
      const second = await again(first)
      expect([reasonOf(second, 'guest'), summary(second, 'acme')]).to.deep.equal(['live', 'first'])
    })

    it('stay as they were when their contract does not fit those of others', async () => {
      const files = (path: string) => ({ 'index.mjs': index('guest', '', guest), 'contract.mjs': contract(`path: '${path}'`, guest) })
      await folder.write('guest', files('/v1/thing'))
      const first = await loadFolder()
      expect(first.byPath.has('/v1/thing')).to.equal(true)
      await folder.write('guest', files('/v1/greet'))
      const second = await again(first)
      expect(second.byPath.has('/v1/thing')).to.equal(true)
      expect(outdatedOf(second)).to.be.a('string')
    })

    it('are gone when their folder is', async () => {
      await write('first')
      const first = await loadFolder()
      await folder.remove()
      folder = await PluginFolder.make()
      expect((await load({ thirdParty: [folder.path], lockFile, before: first.guests })).plugins.map(({ name }) => name)).to.not.include(
        'guest',
      )
    })
  })

  for (const extension of ['ts', 'mjs', 'js']) {
    it(`serve a bundled port from .${extension} files with the one copy of sdk and contract`, async () => {
      await folder.write('guest', {
        [`index.${extension}`]: index('guest', '', guest),
        [`providers/acme.${extension}`]: observer('acme', 'from a guest'),
      })
      const registry = await loadFolder()
      expect(reasonOf(registry, 'guest')).to.equal('live')
      expect(summary(registry, 'acme')).to.equal('from a guest')
      const entry = registry.ports.get('weather.observe')?.all.find(({ vendor }) => vendor.id === 'acme')
      const own = registry.ports.get('weather.observe')?.all.find(({ vendor }) => vendor.id === 'skies')
      expect(entry?.contribution.of).to.equal(own?.contribution.of)
    })

    it(`are seen as they are after a change of .${extension} files, shared ones included`, async () => {
      const write = (text: string) =>
        folder.write('guest', {
          [`index.${extension}`]: index('guest', '', guest),
          [`word.${extension}`]: `export const word = '${text}'`,
          [`providers/acme.${extension}`]: `import { word } from '../word.${extension === 'ts' ? 'js' : extension}'\n${observer('acme', 'X').replace("'X'", 'word')}`,
        })
      await write('first')
      expect(summary(await loadFolder(), 'acme')).to.equal('first')
      await write('second')
      expect(summary(await loadFolder(), 'acme')).to.equal('second')
    })
  }

  it('may bring capabilities of their own, with everything the rules require', async () => {
    await folder.write('guest', {
      'index.ts': index('guest', '', guest),
      'contract.ts': contract('', guest),
      'providers/maker.ts': provider('maker', '', guest),
    })
    const registry = await loadFolder()
    expect(registry.capabilities.get('thing')?.plugin).to.equal('guest')
    expect(registry.liveness('thing')).to.deep.include({ live: true, reason: null })
  })

  it('F-40 T-70 that are broken are set aside while others load', async () => {
    await folder.write('good', {
      'index.ts': index('good', '', guest),
      'contract.ts': contract('', guest),
      'providers/maker.ts': provider('maker', '', guest),
    })
    await folder.write('throws', { 'index.mjs': 'throw new Error("no luck")' })
    await folder.write('old', { 'index.mjs': index('old', 'sdk: 1', guest) })
    await folder.write('absent', { 'index.mjs': index('absent', '', guest), 'contract.mjs': "import 'no-such-package'" })
    await folder.write('shadow', {
      'index.mjs': index('shadow', '', guest),
      'contract.mjs': contract("id: 'shade', path: '/v1/greet'", guest),
    })
    const registry = await loadFolder()
    expect(reasonOf(registry, 'good')).to.equal('live')
    expect(reasonOf(registry, 'throws')).to.equal('plugin throws, index.mjs: cannot be loaded: no luck')
    expect(reasonOf(registry, 'old')).to.contain(
      'was written for sdk 1 and this gateway has sdk 2 (since 2 null for an optional field of an input means absent, ',
    )
    expect(reasonOf(registry, 'absent')).to.contain("contract.mjs: cannot be loaded: Cannot find package 'no-such-package'")
    expect(reasonOf(registry, 'shadow')).to.equal('plugin shadow, contract.mjs: the name "/v1/greet" of shade already means greet')
    expect([...registry.capabilities.keys()]).to.include.members(['greet', 'weather.now'])
  })

  it('have different errors for an absent package and for one without a plugin', async () => {
    const none = await PluginFolder.make()
    const registry = await load({ thirdParty: [join(folder.path, 'nowhere'), none.path] })
    await none.remove()
    expect(registry.plugins.filter(({ party }) => party === 'third').map(({ state, reason }) => [state, reason])).to.deep.equal([
      ['set-aside', `the plugin folder ${join(folder.path, 'nowhere')} does not exist`],
      ['set-aside', `no plugin in ${none.path}: a plugin is a folder with an index.ts, index.js or index.mjs`],
    ])
  })

  it('T-69 that never finish loading are set aside', async () => {
    await folder.write('slow', { 'index.mjs': 'await new Promise(() => setInterval(() => undefined, 1e6).unref())' })
    const hurried: Clock = { ...systemClock, after: (_ms, callback) => systemClock.after(50, callback) }
    expect(reasonOf(await loadFolder(hurried), 'slow')).to.contain('its evaluation did not end within 15 seconds')
  })

  it('T-67 get neither a known vendor under another definition nor a variable of another vendor', async () => {
    await folder.write('thief', {
      'index.mjs': index('thief', '', guest),
      'providers/skies.mjs': observer('skies', 'mine', "secrets: { api_key: 'SKIES_API_KEY' }"),
      'providers/moon.mjs': observer('moon', 'mine', "secrets: { k: 'SKIES_API_KEY' }"),
    })
    const registry = await loadFolder()
    expect(remarksOf(registry, 'thief')).to.deep.equal([
      'plugin thief, providers/moon.mjs: vendor moon reads SKIES_API_KEY, the secret of vendor skies; name a variable of its own',
      'plugin thief, providers/skies.mjs: vendor skies is defined differently in plugin weather; one id is one definition',
    ])
    expect(registry.ports.get('weather.observe')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['barometer', 'skies', 'stranger'])
  })

  it('have a provider marked broken when it alone is wrong', async () => {
    await folder.write('guest', {
      'index.mjs': index('guest', '', guest),
      'providers/acme.mjs': observer('acme', 'x').replace('reply: Type.Object({})', 'reply: { type: "nothing" }'),
    })
    const entry = (await loadFolder()).ports.get('weather.observe')?.all.find(({ vendor }) => vendor.id === 'acme')
    expect(entry?.state).to.equal('broken')
    expect(entry?.reason).to.contain('does not compile')
  })

  it('are set aside for a schema that is not valid in strict mode', async () => {
    const output = 'output: Type.Object({ text: { type: "string", minlength: 1 } })'
    await folder.write('thing', { 'index.mjs': index('thing', '', guest), 'contract.mjs': contract(output, guest) })
    await folder.write('more', { 'index.mjs': index('more', 'settings: Type.Object({ a: { type: "nothing" } })', guest) })
    const registry = await loadFolder()
    expect(reasonOf(registry, 'thing')).to.contain('a schema of thing does not compile: strict mode: unknown keyword: "minlength"')
    expect(reasonOf(registry, 'more')).to.contain('its settings do not compile')
  })

  describe('T-66 with a lock', () => {
    beforeEach(async () => {
      await folder.write('guest', { 'index.ts': index('guest', '', guest), 'providers/acme.ts': observer('acme', 'x'), 'data.txt': 'abc' })
      expect(await lockPlugins([folder.path], lockFile)).to.equal(1)
    })

    it('are loaded as they were locked', async () => {
      expect(reasonOf(await loadFolder(), 'guest')).to.equal('live')
      const written = JSON.parse(await readFile(lockFile, 'utf8')) as { plugins: { guest: object } }
      expect(Object.keys(written.plugins.guest)).to.deep.equal(['data.txt', 'index.ts', 'providers/acme.ts'])
    })

    it('are set aside when one byte differs, before any of their code runs', async () => {
      await writeFile(join(folder.path, 'guest/data.txt'), 'abd')
      await writeFile(join(folder.path, 'guest/index.ts'), 'throw new Error("it ran")')
      expect(reasonOf(await loadFolder(), 'guest')).to.equal(
        'data.txt differs from the lock file; review the change and run `capstan plugin lock` to accept it',
      )
    })

    it('are set aside when a file was added, when one was removed, and when they are new', async () => {
      await folder.write('guest', { 'more.ts': '' })
      await folder.write('other', { 'index.ts': index('other', '', guest) })
      const registry = await loadFolder()
      expect(reasonOf(registry, 'guest')).to.contain('more.ts was added since the plugin was locked')
      expect(reasonOf(registry, 'other')).to.contain('the plugin is not in the lock file')
      expect(reasonOf(registry, 'guest')).to.contain('capstan plugin lock')
    })

    it('are all set aside when the lock cannot be read', async () => {
      await writeFile(lockFile, '{')
      expect(reasonOf(await loadFolder(), 'guest')).to.contain('the lock file cannot be read')
    })

    for (const place of ['.git', 'lib/.git', 'providers/.git'])
      it(`are set aside when a file that can be imported changes below ${place}`, async () => {
        await folder.write('guest', { [`${place}/hooks/payload.mjs`]: 'export const word = 1' })
        await lockPlugins([folder.path], lockFile)
        expect(reasonOf(await loadFolder(), 'guest')).to.equal('live')
        await writeFile(join(folder.path, 'guest', place, 'hooks/payload.mjs'), 'export const word = 2')
        expect(reasonOf(await loadFolder(), 'guest')).to.contain(`${place}/hooks/payload.mjs differs from the lock file`)
      })

    it('stay live when Git changes files of its own in their .git', async () => {
      await folder.write('guest', { '.git/HEAD': 'ref: refs/heads/main', '.git/index': 'x', '.git/hooks/pre-push.sample': 'exit 0' })
      await lockPlugins([folder.path], lockFile)
      await writeFile(join(folder.path, 'guest/.git/HEAD'), 'ref: refs/heads/other')
      await folder.write('guest', { '.git/FETCH_HEAD': '' })
      expect(reasonOf(await loadFolder(), 'guest')).to.equal('live')
    })

    it('are set aside when a link leads out of their folder', async () => {
      await symlink(lockFile, join(folder.path, 'guest/link.txt'))
      expect(reasonOf(await loadFolder(), 'guest')).to.contain('link.txt is a link that leads out')
    })
  })
})
