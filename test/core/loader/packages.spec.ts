import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '../../../core/config/load.js'
import { lockPlugins } from '../../../core/loader/lock.js'
import type { Registry } from '../../../core/loader/types.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { contract, index, provider } from '../../support/loader-texts.js'
import { load } from '../../support/loader.js'

const run = promisify(execFile)
const NAME = 'capstan-plugin-thing'
const npm = (cwd: string, ...argv: string[]) => run('npm', [...argv, '--offline', '--no-audit', '--no-fund'], { cwd })

/** Texts of a plugin whose files lie in a folder of its package. */
const files = (folder: string, main = 'index.js') => ({
  [`${folder}${main}`]: index('thing-maker', '', 'capstan/sdk'),
  [`${folder}contract.js`]: contract('', 'capstan/sdk'),
  [`${folder}providers/maker.js`]: provider('maker', '', 'capstan/sdk'),
})

describe('plugins that are npm packages', function () {
  this.timeout(120_000)
  let folder: string
  let project: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'capstan-packages-')))
    project = join(folder, 'project')
    await write('project', { 'package.json': JSON.stringify({ name: 'project', private: true }) })
  })
  afterEach(async () => await rm(folder, { recursive: true, force: true }))

  async function write(below: string, texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(texts)) {
      const path = join(folder, below, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
  }
  const writePackage = (about: object, texts: Readonly<Record<string, string>>, name = NAME) =>
    write('package', { 'package.json': JSON.stringify({ name, version: '1.0.0', type: 'module', ...about }), ...texts })
  const folders = (names: string, env: Record<string, string> = { CAPSTAN_PLUGINS: names }, file: string | null = null) =>
    loadConfig({ file, env, root: packageRoot(), cwd: project }).settings.plugin_folders
  const reasons = ({ plugins }: Registry) => plugins.filter(({ party }) => party === 'third').map(({ name, reason }) => [name, reason])

  for (const [form, about, texts] of [
    ['exports with conditions', { exports: { '.': { types: './lib/index.d.ts', import: './lib/index.js' } } }, files('lib/')],
    ['exports that are a path', { exports: './lib/start.js' }, files('lib/', 'start.js')],
    ['main', { main: 'lib/index.js' }, files('lib/')],
    ['neither', {}, files('')],
  ] as const)
    it(`are found by their name, packed and installed: ${form}`, async () => {
      await writePackage(about, texts)
      const { stdout } = await npm(join(folder, 'package'), 'pack', '--silent')
      await npm(project, 'install', join(folder, 'package', stdout.trim()))
      expect(folders(NAME)).to.deep.equal([join(project, 'node_modules', NAME)])
      const registry = await load({ thirdParty: folders(NAME) })
      expect(reasons(registry)).to.deep.equal([['thing-maker', null]])
      expect(registry.liveness('thing')).to.deep.include({ live: true, reason: null })
    })

  it('are found by a scope, linked from a folder, above the working folder, and from the file', async () => {
    await writePackage({ main: 'lib/index.js' }, files('lib/'), '@acme/thing')
    await npm(folder, 'install', './package')
    const file = join(folder, 'elsewhere', 'capstan.yml')
    await write('elsewhere', { 'capstan.yml': "plugins: ['@acme/thing']\n" })
    expect(folders('', {}, file)).to.deep.equal([join(folder, 'node_modules', '@acme/thing')])
    expect(reasons(await load({ thirdParty: folders('', {}, file) }))).to.deep.equal([['thing-maker', null]])
  })

  it('come after a folder of that name', async () => {
    await write('project', { [`${NAME}/index.js`]: '' })
    expect(folders(NAME)).to.deep.equal([join(project, NAME)])
    expect(folders(`./${NAME}:../x`)).to.deep.equal([join(project, NAME), join(folder, 'x')])
  })

  it('that are not installed are set aside, with the setting and the command', async () => {
    expect(reasons(await load({ thirdParty: folders(NAME) }))).to.deep.equal([
      [
        join(project, 'node_modules', NAME),
        `plugins (CAPSTAN_PLUGINS) names ${NAME}, but neither a folder nor a package of that name exists in ${join(project, 'node_modules')}: npm install ${NAME} there, or write the path of a folder`,
      ],
    ])
  })

  it('whose package.json is broken, or names a file outside, are set aside and end nothing', async () => {
    const at = join(project, 'node_modules', NAME)
    await mkdir(at, { recursive: true })
    for (const [text, words] of [
      ['{', 'JSON'],
      ['[]', 'is not an object'],
      ['{"main":"../../../package/index.js"}', 'is not in the package'],
    ] as const) {
      await writeFile(join(at, 'package.json'), text)
      const [[, reason] = []] = reasons(await load({ thirdParty: folders(NAME) }))
      expect(reason, text).to.contain(words)
    }
  })

  it('are locked with everything in them, before any of their code runs', async () => {
    await writePackage({ main: 'lib/index.js' }, { ...files('lib/'), 'shared.js': 'export const word = 1' })
    await npm(project, 'install', '../package', '--install-links')
    const lockFile = join(folder, 'plugins.lock')
    expect(await lockPlugins(folders(NAME), lockFile)).to.equal(1)
    expect(reasons(await load({ thirdParty: folders(NAME), lockFile }))).to.deep.equal([['thing-maker', null]])
    await appendFile(join(project, 'node_modules', NAME, 'shared.js'), '\n')
    const [[name, reason] = []] = reasons(await load({ thirdParty: folders(NAME), lockFile }))
    expect([name, reason]).to.deep.equal([
      NAME,
      'shared.js differs from the lock file; review the change and run `capstan plugin lock` to accept it',
    ])
  })
})
