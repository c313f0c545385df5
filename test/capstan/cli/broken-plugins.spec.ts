import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WAYS, writeBroken, type Way } from '../../support/broken-plugins.js'
import { ADMIN_TOKEN, CLI, Served } from '../../support/served.js'

describe('plugins that cannot be used, or fail once they are loaded', function () {
  this.timeout(300_000)
  let folder: string
  let env: Record<string, string>
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-broken-'))
    env = {
      CAPSTAN_DATA: join(folder, 'data'),
      CAPSTAN_PLUGINS: join(folder, 'guests'),
      CAPSTAN_LIMIT_PLUGIN_LOAD: '1s',
      CAPSTAN_ALLOW_PRIVATE: '',
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (code: (way: Way) => string) => writeBroken(join(folder, 'guests'), code)

  for (const argv of [
    ['plugin', 'list'],
    ['plugin', 'test', 'guests'],
    ['config', 'check'],
    ['doctor', '--json'],
  ])
    describe(`capstan ${argv.join(' ')}`, () => {
      let said: string
      let code: number | null
      before(() => {
        write((way) => way.code)
        const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...argv], {
          cwd: folder,
          env: { PATH: process.env['PATH'], ...env },
          encoding: 'utf8',
        })
        said = stdout + stderr
        code = status
      })
      for (const { what, says } of WAYS) it(`names the one with ${what}`, () => expect(said).to.match(says))
      it('ends with 1', () => expect(code, said).to.equal(1))
    })

  describe('a gateway', () => {
    let served: Served
    let from = 0
    const recent = (): string => served.said.slice(from)
    const all = async (): Promise<void> => {
      for (const { says } of WAYS) await served.until(() => says.test(recent()))
    }
    afterEach(async () => {
      served.signal('SIGTERM')
      expect((await served.ended).code).to.equal(0)
      await served.end()
    })

    it('starts with all of them, and its log names each', async () => {
      write((way) => way.code)
      served = new Served({ env })
      await served.line('ready')
      await all()
      expect((await served.send('/v1/capabilities')).status).to.equal(200)
    })

    it('that reloads them after they worked names each, and what it has goes on', async () => {
      write(() => '')
      served = new Served({ env })
      await served.line('ready')
      write((way) => way.code)
      const reload = await served.send('/admin/v1/reload', { method: 'POST', key: ADMIN_TOKEN })
      const { success, outdated } = reload.json<{ success: boolean; outdated: { plugin: string; reason: string }[] }>()
      expect(success).to.equal(false)
      for (const { name, says, later } of WAYS)
        if (later !== true) expect(outdated.find(({ plugin }) => plugin === name)?.reason, name).to.match(says)
      await all()
      from = served.said.length
      write((way) => `${way.code} // again`)
      served.signal('SIGHUP')
      await served.until(() => recent().includes('plugins and configuration reloaded'))
      await all()
      expect((await served.send('/v1/capabilities')).status).to.equal(200)
    })
  })
})
