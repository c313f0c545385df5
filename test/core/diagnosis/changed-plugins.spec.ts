import { expect } from 'chai'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { changedPluginsCheck } from '../../../core/diagnosis/changed-plugins.js'
import { TemporaryFolder } from '../../support/store.js'

describe('files of plugins that changed since the gateway read them', () => {
  let folder: TemporaryFolder
  beforeEach(() => (folder = new TemporaryFolder()))
  afterEach(() => folder.remove())
  const START = 1_750_000_000_000

  const write = (path: string, seconds: number): void => {
    const file = join(folder.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    utimesSync(file, new Date(START), new Date(START + seconds * 1000))
  }
  const check = (loadedAfter = 0) =>
    changedPluginsCheck({
      bundled: join(folder.path, 'plugins'),
      startedAt: START,
      own: [join(folder.path, 'own'), join(folder.path, 'gone')],
      loadedAt: START + loadedAfter * 1000,
    })

  it('are none while all are older, and tests and packages do not count', async () => {
    write('plugins/search/index.ts', -1)
    write('plugins/search/search.spec.ts', 5)
    write('own/guest/node_modules/dep/index.js', 5)
    write('own/guest/README.md', 5)
    expect(await check()).to.include({ name: 'plugin files', ok: true })
  })

  it('are named with what makes the gateway read them: a restart for its own, a reload for those of the operator', async () => {
    write('own/guest/index.mjs', 5)
    expect((await check()).detail).to.equal(
      `changed since the gateway read them (guest/index.mjs): reload them with kill -HUP ${process.pid}, or restart the gateway`,
    )
    expect((await check(6)).ok).to.equal(true)
    for (const name of ['a', 'b', 'c', 'd']) write(`plugins/search/providers/${name}.ts`, 5)
    const { ok, detail } = await check(6)
    expect(ok).to.equal(false)
    expect(detail).to.match(/\(search\/providers\/.*, .*, .* and 1 more\): restart the gateway$/)
  })
})
