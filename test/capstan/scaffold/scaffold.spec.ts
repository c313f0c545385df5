import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { providerFile } from '../../../scripts/capstan/kit/scaffold/templates.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { runCases, runConformance, type CaseResult } from '../../../scripts/capstan/kit/conformance/index.js'
import type { Registry } from '../../../core/loader/types.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { newPlugin, newProvider } from '../../../scripts/capstan/kit/scaffold/index.js'
import { goodSources, load, PluginFolder } from '../../support/loader.js'

const run = promisify(execFile)
const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc')

/** Results of the conformance suite that did not pass. */
async function failures(registry: Registry, plugins: readonly string[]): Promise<CaseResult[]> {
  const suite = await runConformance(registry, { clock: systemClock, plugins })
  const { results } = await runCases(suite.cases)
  await suite.close()
  expect(results.length).to.be.greaterThan(5)
  return results.filter(({ state }) => state !== 'passed')
}

/** A copy of the tree's shape: `core` of the repository, and plugins of its own. */
async function tree(): Promise<{ root: string; plugins: string; compile: () => Promise<string> }> {
  await mkdir(join(packageRoot(), '.build'), { recursive: true })
  const root = await mkdtemp(join(packageRoot(), '.build', 'scaffold-'))
  const plugins = join(root, 'plugins')
  await symlink(join(packageRoot(), 'core'), join(root, 'core'))
  await mkdir(plugins)
  const config = {
    extends: relative(root, join(packageRoot(), 'tsconfig.json')),
    compilerOptions: { rootDir: packageRoot(), outDir: join(root, 'out'), declaration: false },
    include: ['plugins'],
  }
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config))
  return {
    root,
    plugins,
    compile: async () => {
      await run(process.execPath, [tsc, '-p', root], { cwd: packageRoot() }).catch((error: unknown) => {
        throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
      })
      return join(root, 'out', relative(packageRoot(), plugins))
    },
  }
}

describe('providerFile', () => {
  for (const count of [1, 6, 9, 14, 30]) {
    it(`is formatted with ${String(count)} fields`, async () => {
      const fields = Array.from({ length: count }, (_, index) => `field_${String(index)}`)
      const port = { name: 'thing', from: '../contract.js' }
      const text = providerFile({
        sdk: 'capstan/sdk',
        port,
        vendor: { name: 'acme', from: '../vendors/acme.js' },
        name: 'acmeThing',
        path: '/thing',
        inputs: fields,
        outputs: fields,
      })
      const options = await resolveConfig(join(packageRoot(), 'core/main.ts'))
      expect(await format(text, { ...options, parser: 'typescript' })).to.equal(text)
    })
  }
})

describe('newPlugin', () => {
  it('writes a bundled plugin that compiles strictly and passes the conformance suite as written', async () => {
    const { root, plugins, compile } = await tree()
    try {
      await cp(goodSources, plugins, { recursive: true })
      await rewriteImports(plugins)
      await neat(await newPlugin('word-count', plugins, { bundled: true }))
      await neat(await newPlugin('transcripts', plugins, { bundled: true, files: true }))
      const before = await load({ sourceFolder: goodSources })
      await neat((await newProvider('weather.observe', 'acme', { registry: before, folder: plugins, bundled: true })).files)
      await neat((await newProvider('greet', 'wide-vendor', { registry: before, folder: plugins, bundled: true })).files)
      const registry = await load({ firstParty: await compile(), sourceFolder: plugins })
      expect(await failures(registry, ['weather', 'word-count', 'transcripts'])).to.deep.equal([])
      expect(registry.ports.get('weather.observe')?.all.map(({ vendor }) => vendor.id)).to.include('acme')
      expect(registry.capabilities.get('word_count')?.capability.path).to.equal('/v1/word-count')
      expect(await readFile(join(plugins, 'weather/README.md'), 'utf8')).to.contain('- `acme`: set `ACME_API_KEY`.')
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  }).timeout(240_000)

  it('refuses names that are taken by the gateway, no names at all, and files that are there', async () => {
    const folder = await PluginFolder.make()
    expect(await refusal(newPlugin('keys', folder.path))).to.contain('reserved')
    expect(await refusal(newPlugin('No Name', folder.path))).to.contain('lower-case words joined by dashes')
    await newPlugin('twice', folder.path)
    expect(await refusal(newPlugin('twice', folder.path))).to.contain('already exists; nothing was written')
    const bundled = newPlugin('script', folder.path, { bundled: true, javascript: true })
    expect(await refusal(bundled)).to.contain('name another folder with --folder, or omit --javascript')
    await folder.remove()
  })
})

describe('a skeleton outside the repository', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  const own = (...names: string[]): string[] => [
    ...names,
    'contract',
    'vendors/word-count-example',
    'providers/word-count-example',
    'fixtures/word-count-example.word_count.json',
    'README.md',
  ]
  const FORMS = [
    { options: {}, files: own('index'), beside: 'tsconfig.json' },
    { options: { files: true }, files: own('index', 'settings'), beside: 'tsconfig.json' },
    { options: { javascript: true }, files: own('index'), beside: 'package.json' },
    { options: { files: true, javascript: true }, files: own('index', 'settings'), beside: 'package.json' },
  ]
  for (const { options, files, beside } of FORMS) {
    const isScript = 'javascript' in options
    it(`is a plugin that loads and passes as written: ${JSON.stringify(options)}`, async () => {
      const made = await newPlugin('word-count', folder.path, options)
      const named = [...files, beside].map((name) => `word-count/${name.includes('.') ? name : `${name}.${isScript ? 'js' : 'ts'}`}`)
      expect(made.map((file) => relative(folder.path, file))).to.have.members(named)
      const registry = await load({ thirdParty: [folder.path] })
      expect(await failures(registry, ['word-count'])).to.deep.equal([])
      await neat(made)
      // That of the other form compiles as a part of the gateway's own tree.
      if (isScript || !('files' in options)) return
      await run(process.execPath, [tsc, '-p', join(folder.path, 'word-count')]).catch((error: unknown) => {
        throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
      })
    }).timeout(240_000)
  }

  it('is a provider in a plugin of JavaScript that loads and passes as written', async () => {
    await newPlugin('word-count', folder.path, { javascript: true })
    const home = join(folder.path, 'word-count')
    const made = await newProvider('word_count', 'acme', { registry: await load({ thirdParty: [folder.path] }), folder: home })
    expect(made.files.map((file) => relative(home, file))).to.have.members([
      'providers/acme.js',
      'vendors/acme.js',
      'fixtures/acme.word_count.json',
    ])
    const after = await load({ thirdParty: [folder.path] })
    expect(await failures(after, ['word-count'])).to.deep.equal([])
    expect(after.ports.get('word_count')?.all.map(({ vendor }) => vendor.id)).to.include('acme')
  })

  it('is a provider of a bundled port that loads and passes as written', async () => {
    const registry = await load({ sourceFolder: goodSources })
    await newProvider('weather.observe', 'acme', { registry, folder: join(folder.path, 'acme') })
    const after = await load({ sourceFolder: goodSources, thirdParty: [join(folder.path, 'acme')] })
    expect(await failures(after, ['acme-weather-observe'])).to.deep.equal([])
    expect(after.ports.get('weather.observe')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['barometer', 'skies', 'stranger', 'acme'])
  })

  it('is made for a capability that is its own port', async () => {
    const registry = await load({ sourceFolder: goodSources })
    await newProvider('greet', 'acme-words', { registry, folder: join(folder.path, 'acme') })
    const after = await load({ sourceFolder: goodSources, thirdParty: [folder.path] })
    expect(after.ports.get('greet')?.all.map(({ vendor }) => vendor.id)).to.deep.equal(['words', 'acme-words'])
  })

  it('is refused for unknown ports, vendors that serve already and vendors of the gateway', async () => {
    const registry = await load({ sourceFolder: goodSources })
    const make = (port: string, vendor: string): Promise<unknown> => newProvider(port, vendor, { registry, folder: join(folder.path, 'x') })
    expect(await refusal(make('weather.tomorrow', 'acme'))).to.contain(
      'no port is called weather.tomorrow; known: greet, weather.now, weather.observe',
    )
    expect(await refusal(make('weather.observe', 'skies'))).to.contain('skies already serves weather.observe')
    expect(await refusal(make('greet', 'skies'))).to.contain('for example my-skies')
  })
})

/** The tiny plugins lie three folders deeper than bundled ones. */
async function rewriteImports(plugins: string): Promise<void> {
  for (const name of await readdir(plugins, { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const file = join(plugins, name)
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('../../../../../../core/', '../../../core/').replace("'../../../../../core/", "'../../core/"),
    )
  }
}

/** Throws unless code is formatted as the repository's is. */
async function neat(files: readonly string[]): Promise<void> {
  const options = await resolveConfig(join(packageRoot(), 'core/main.ts'))
  for (const file of files.filter((each) => /\.[jt]s$/.test(each))) {
    const text = await readFile(file, 'utf8')
    expect(await format(text, { ...options, parser: 'typescript' }), file).to.equal(text)
  }
}

async function refusal(making: Promise<unknown>): Promise<string> {
  try {
    await making
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it was written')
}
