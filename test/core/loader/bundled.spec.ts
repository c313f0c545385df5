import { expect } from 'chai'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFakeTimers } from 'sinon'
import { bundledFolder } from '../../../core/loader/load.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { normalised, violations, SchemaCompiler, type TSchema } from '../../../core/sdk/index.js'
import { load, PluginFolder } from '../../support/loader.js'
import type { LogLine } from '../../support/log-lines.js'
import { contract, index, provider } from '../../support/loader-texts.js'
import { source } from '../../support/pages.js'
import { errorOf } from '../../support/unit.js'

describe('bundled plugins', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  it('sets a provider aside whose port nobody declares, says so, and goes on', async () => {
    const lines: LogLine[] = []
    await folder.write('thing', { 'index.js': index('thing'), 'contract.js': contract(), 'providers/maker.js': provider('maker') })
    await folder.write('more', {
      'index.js': index('more'),
      'providers/stray.js': `import { provider } from '@sdk'\nexport const p = provider({ id: 'no.such' }, { vendor: { id: 'stray', title: 'Stray' }, run: async () => null })`,
    })
    const registry = await load({ firstParty: folder.path, lines })
    expect(registry.plugins.find(({ name }) => name === 'more')).to.deep.include({
      state: 'live',
      remarks: ['plugin more, providers/stray.ts: vendor stray serves no.such, a port that no plugin declares'],
    })
    expect(registry.ports.get('thing')?.providers).to.have.length(1)
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([['warn', 'plugin set aside']])
  })

  it('have schemas that are valid in strict mode and examples that fit them, which a start does not check', async () => {
    const { capabilities, ports, contributions } = await load({ firstParty: bundledFolder(), sourceFolder: join(packageRoot(), 'plugins') })
    const compiler = new SchemaCompiler()
    const schemas: readonly (TSchema | undefined)[] = [
      ...contributions.map(({ settings }) => settings),
      ...[...ports.values()].flatMap(({ port, all }) => [
        port.input,
        port.output,
        ...all.flatMap(({ vendor, contribution: { http } }) => [vendor.settings, http?.reply]),
      ]),
      ...[...capabilities.values()].flatMap(({ capability: { lists = {}, input, output } }) => [
        input,
        output,
        ...Object.values(lists).flatMap(({ query, response }) => [query, response]),
      ]),
    ]
    expect(schemas.length).to.be.greaterThan(200)
    for (const schema of schemas) if (schema !== undefined) compiler.assertValid(schema)
    for (const { capability, input } of capabilities.values())
      for (const { title, params } of capability.examples) {
        const filled: unknown = structuredClone(params)
        expect(input.check(filled), `${capability.id}: ${title}`).to.equal(true)
        expect(violations(capability, normalised(capability, filled)), `${capability.id}: ${title}`).to.deep.equal([])
      }
  })

  it('are in the order of their ranks: config/waterfall.json has only orders that ranks do not give', async () => {
    const written = JSON.parse(source('config/waterfall.json')) as Readonly<Record<string, readonly string[]>>
    const { ports } = await load({ firstParty: bundledFolder(), sourceFolder: join(packageRoot(), 'plugins') })
    const ranked = (port: string): string[] => (ports.get(port)?.providers ?? []).map(({ vendor }) => vendor.id)
    expect(Object.entries(written).flatMap(([port, order]) => (order.join() === ranked(port).join() ? [port] : []))).to.deep.equal([])
  })

  it('skips shared folders and folders without an index', async () => {
    await folder.write('thing', { 'index.js': index('thing'), 'contract.js': contract() })
    await folder.write('_vendors', { 'index.js': 'throw new Error("it ran")' })
    await folder.write('notes', { 'README.md': 'nothing' })
    expect((await load({ firstParty: folder.path })).plugins.map(({ name }) => name)).to.deep.equal(['thing'])
  })

  it('leaves out compiled files whose source is gone', async () => {
    await folder.write('thing', {
      'index.js': index('thing'),
      'contract.js': contract(),
      'providers/maker.js': provider('maker'),
      'providers/old.js': provider('old'),
    })
    await folder.write('gone', { 'index.js': index('gone') })
    const source = await PluginFolder.make()
    await source.write('thing', { 'index.ts': '', 'contract.ts': '', 'providers/maker.ts': '' })
    const registry = await load({ firstParty: folder.path, sourceFolder: source.path })
    await source.remove()
    expect(registry.plugins.map(({ name, folder: at }) => [name, at])).to.deep.equal([['thing', join(source.path, 'thing')]])
    expect(registry.ports.get('thing')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['maker'])
  })

  it('takes a contract that is exported once more elsewhere for what it is', async () => {
    await folder.write('thing', { 'index.js': index('thing'), 'contract.js': contract() })
    await folder.write('user', { 'index.js': index('user'), 'contract.js': "export { thing } from '../thing/contract.js'" })
    expect([...(await load({ firstParty: folder.path })).capabilities.keys()]).to.deep.equal(['thing'])
  })

  it('disposes of each plugin once, also over registries with other orders, and reports those that fail', async () => {
    const counter = join(folder.path, 'count.mjs')
    await mkdir(folder.path, { recursive: true })
    await writeFile(counter, 'export const seen = []')
    for (const name of ['one', 'two'])
      await folder.write(name, {
        'index.js': `import { seen } from '../count.mjs'\n${index(name, `dispose: async () => { seen.push('${name}'); if ('${name}' === 'one') throw new Error('no') }`)}`,
      })
    const registry = await load({ firstParty: folder.path })
    const { seen } = (await import(counter)) as { seen: string[] }
    const faults = await Promise.allSettled([registry.dispose(), registry.withOrders(new Map()).dispose(), registry.dispose()])
    expect(seen).to.deep.equal(['one', 'two'])
    expect(faults.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
  })

  it('waits five seconds for a plugin whose dispose never settles, then names it', async () => {
    await folder.write('stuck', { 'index.js': index('stuck', 'dispose: () => new Promise(() => {})') })
    await folder.write('fine', { 'index.js': index('fine', 'dispose: () => Promise.resolve()') })
    const registry = await load({ firstParty: folder.path })
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const ended = errorOf(registry.dispose())
      await timers.tickAsync(5_000)
      expect((await ended).message).to.match(/^plugins failed to clean up: dispose\(\) of plugin stuck: .* within 5000 ms/)
    } finally {
      timers.restore()
    }
  })
})
