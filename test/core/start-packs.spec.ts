import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { needs } from '../support/exec-sandbox.js'
import { fsTouches } from '../support/fs-touches.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { PackRegistry, sha256 } from '../support/pack-registry.js'

interface Diagnosed {
  readonly capabilities: readonly {
    readonly ports: readonly {
      readonly providers: readonly { readonly vendor: string; readonly state: string; readonly reason: string | null }[]
    }[]
  }[]
}

describe('a start with engine packs', function () {
  this.timeout(60_000)
  let registry: PackRegistry
  before(async function () {
    needs(this, 'bwrap', '/usr/bin/python3', 'tar', 'mkfifo')
    registry = await PackRegistry.open()
  })
  after(() => registry?.close())

  /** A pack `cutout` as the plugin wants it, whose model is a pipe: whoever opens it to read hangs. */
  function pack(files: number): string {
    const names = Array.from({ length: files }, (_, at) => `node_modules/other/${at}.js`)
    const archive = registry.tarball(
      'other@1.0',
      Object.fromEntries(names.map((name) => [name.replace('node_modules/other', 'package'), 'x'])),
    )
    registry.manifest('cutout', { packages: [{ npm: 'other@1.0', sha256: sha256(archive), licence: 'MIT' }] })
    expect(registry.provide('cutout'), registry.said.join('\n')).to.equal(true)
    writeFileSync(registry.at('cutout', 'pack.json'), readFileSync(join(packageRoot(), 'plugins', 'cutouts', 'packs', 'cutout.json')))
    expect(spawnSync('mkfifo', [registry.at('cutout', 'u2netp.onnx')]).status).to.equal(0)
    writeFileSync(registry.at('cutout', 'contents'), ['0 u2netp.onnx', ...names.map((name) => `1 ${name}`), ''].join('\n'))
    return registry.at('cutout', 'bin', 'cutout')
  }

  async function started(program: string): Promise<{ touches: string[]; state: string }> {
    const held: { gateway?: TestGateway } = {}
    try {
      const touches = await fsTouches(registry.at(), async () => {
        held.gateway = await startGateway({ bundled: true, env: { CAPSTAN_PROGRAM_CUTOUT: program } })
        await held.gateway.app.selfCheck()
      })
      const { capabilities } = (await held.gateway?.admin('GET', '/admin/v1/diagnosis'))?.json<Diagnosed>() ?? { capabilities: [] }
      const found = capabilities
        .flatMap(({ ports }) => ports.flatMap(({ providers }) => providers))
        .find(({ vendor }) => vendor === 'cutout')
      return { touches, state: `${found?.state}: ${found?.reason ?? ''}` }
    } finally {
      await held.gateway?.close()
    }
  }

  it('reads none of their files, and checks as many paths for a pack of 400 files as for one of 4; nor does doctor', async () => {
    const small = await started(pack(4))
    const large = await started(pack(400))
    expect([small.state, large.state]).to.deep.equal(['live: ', 'live: '])
    expect(large.touches).to.deep.equal(small.touches)
    expect([...new Set(large.touches.map((touch) => touch.split(' ')[1]))]).to.deep.equal([registry.at('cutout', 'bin', 'cutout')])
  })
})
