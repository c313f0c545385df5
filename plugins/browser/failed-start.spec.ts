import { expect } from 'chai'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../core/sdk/index.js'
import { browserHost } from '../../test/support/browser-host.js'
import { needsProgram } from '../../test/support/needs.js'
import { launch, ordinary } from './launch.js'
import { openBrowsers } from './open-browsers.js'
import type { PageCall } from './pool.js'

const CALL: PageCall = { caller: { account: 'a', key: 'k' }, signal: new AbortController().signal, timeLeft: () => 60_000 }
const SETTINGS = { pages: 1, browsers: 1, uses: 1, lifetime: 600, idle: 120, heap: 256, stealth_timezone: '' }

describe('browser: a start that fails', function () {
  this.timeout(60_000)

  before(function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
  })

  it('in a sandbox that has lost a part of itself is done again in another, and the reason is logged', async () => {
    const base = await browserHost([])
    const launchers: string[] = []
    const logs: (readonly [string, unknown])[] = []
    const host = {
      ...base.host,
      settings: SETTINGS,
      log: (message: string, fields?: object) => void logs.push([message, fields]),
      launcher: async (...order: Parameters<typeof base.host.launcher>) => {
        const path = await base.host.launcher(...order)
        launchers.push(path)
        return path
      },
    }
    const pool = await openBrowsers(host, { programs: ['chromium-headless-shell'], options: ordinary(256) })
    try {
      expect(await pool.run((browser) => Promise.resolve(browser.isConnected()), CALL)).to.equal(true)
      rmSync(join(dirname(launchers[0] ?? ''), 'bwrap-args'))
      expect(await pool.run((browser) => Promise.resolve(browser.isConnected()), CALL)).to.equal(true)
      expect(launchers).to.have.length(2)
      expect(logs.map(([message]) => message)).to.include('the browser did not start, and is started again in another sandbox')
      expect(JSON.stringify(logs)).to.contain('bwrap-args: No such file')
    } finally {
      await pool.close()
      await base.close()
    }
  })

  it('says why in the words of the program, which stand behind its many flags', async () => {
    const base = await browserHost([])
    try {
      const sandbox = { host: base.host, launcher: '/nowhere/launch', folder: await base.host.folder() }
      const fault = await launch(sandbox, 1, ordinary(256)).catch((error: unknown) => error)
      expect(Fault.is(fault) && fault.kind).to.equal('broken')
      expect(Fault.is(fault) && fault.internal)
        .to.contain('/nowhere/launch')
        .and.not.contain('--headless')
    } finally {
      await base.close()
    }
  })
})
