import { expect } from 'chai'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Served } from '../../support/served.js'

interface First {
  readonly key: string
  readonly admin_token: string
}

describe('a first start in a process of its own', function () {
  this.timeout(300_000)
  let data: string
  let other: Server
  let taken: string
  const all: Served[] = []
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'capstan-first-'))
    other = createServer()
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    taken = String((other.address() as AddressInfo).port)
  })
  afterEach(async () => {
    for (const served of all.splice(0)) await served.end()
    other.close()
    rmSync(data, { recursive: true, force: true })
  })

  const started = (env: Record<string, string> = {}): Served => {
    const served = new Served({ data, env: { CAPSTAN_ADMIN_TOKEN: '', CAPSTAN_PLUGINS: '', CAPSTAN_ALLOW_PRIVATE: '', ...env } })
    all.push(served)
    return served
  }
  const firstOf = async (served: Served): Promise<First | null> => ((await served.line('ready')).first_run ?? null) as First | null
  const stop = async (served: Served): Promise<void> => {
    served.signal('SIGTERM')
    expect(await served.ended).to.deep.equal({ code: 0, signal: null })
  }

  const failures: readonly (readonly [string, () => Record<string, string>, RegExp])[] = [
    [
      'CAPSTAN_PORT',
      () => ({ CAPSTAN_PORT: taken }),
      /^error: CAPSTAN_PORT: 127\.0\.0\.1:\d+ is taken by another program: set CAPSTAN_PORT /,
    ],
    [
      'CAPSTAN_ADMIN_PORT',
      () => ({ CAPSTAN_ADMIN_PORT: taken }),
      /^error: CAPSTAN_ADMIN_PORT: 127\.0\.0\.1:\d+ is taken by another program: set CAPSTAN_ADMIN_PORT /,
    ],
    [
      'CAPSTAN_HOST',
      () => ({ CAPSTAN_HOST: 'not-a-host' }),
      /^error: CAPSTAN_HOST: not-a-host (?:is not a known host|cannot be looked up).*CAPSTAN_HOST/,
    ],
  ]

  it('that fails at a port or a host says so in one line and loses neither key nor admin token', async () => {
    for (const [setting, env, message] of failures) {
      const failed = started(env())
      expect(await failed.ended, setting).to.deep.equal({ code: 1, signal: null })
      const lines = failed.err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
      expect(lines, setting).to.have.length(1)
      expect(lines[0]).to.match(message)
    }
    const next = started()
    const first = await firstOf(next)
    expect(first?.key).to.match(/^cap_/)
    expect(first?.admin_token).to.match(/^adm_/)
    expect((await next.send('/v1/account', { key: first?.key ?? '' })).status).to.equal(200)
    expect((await next.send('/admin/v1/accounts', { key: first?.admin_token ?? '' })).status).to.equal(200)
    await stop(next)
    const later = started()
    expect(await firstOf(later), 'shown once').to.equal(null)
    expect((await later.send('/v1/account', { key: first?.key ?? '' })).status).to.equal(200)
    await stop(later)
  })
})
