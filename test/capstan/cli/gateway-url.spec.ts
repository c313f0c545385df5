import { Command } from 'commander'
import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayUrl } from '../../../scripts/capstan/cli/gateway-url.js'
import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { packageRoot } from '../../../core/runtime/root.js'

describe('the gateway that capstan run calls', () => {
  let cwd: string
  beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'capstan-url-'))))
  afterEach(() => rmSync(cwd, { recursive: true, force: true }))
  const url = (env: Record<string, string>) => {
    const io = { env, cwd, tty: false, out: () => Promise.resolve(), err: () => undefined }
    return gatewayUrl({ io, parts: realParts, root: packageRoot() }, new Command('run'))
  }

  it('is the one of CAPSTAN_URL, else that of CAPSTAN_PORT, the file, and the default', async () => {
    expect(await url({ CAPSTAN_URL: 'https://gate.example.com', CAPSTAN_PORT: '9000' })).to.equal('https://gate.example.com')
    expect(await url({ CAPSTAN_PORT: '9000' })).to.equal('http://127.0.0.1:9000')
    expect(await url({ CAPSTAN_PORT: '0' })).to.equal('http://127.0.0.1:8420')
    writeFileSync(join(cwd, 'capstan.yml'), 'server: { host: "::", port: 9001 }\n')
    expect(await url({})).to.equal('http://[::1]:9001')
    expect(await url({ CAPSTAN_PORT: '9000' })).to.equal('http://[::1]:9000')
    expect(await url({ CAPSTAN_HOST: '192.0.2.7' })).to.equal('http://192.0.2.7:9001')
  })

  it('needs no configuration that a gateway could start with', async () => {
    writeFileSync(join(cwd, 'capstan.yml'), 'sever: {}\n')
    expect(await url({ CAPSTAN_PORT: '9000' })).to.equal('http://127.0.0.1:9000')
    expect(await url({})).to.equal('http://127.0.0.1:8420')
  })
})
