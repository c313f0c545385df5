import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../core/runtime/root.js'
import { needs } from '../../support/exec-sandbox.js'
import { skip } from '../../support/needs.js'

/** Belongs to nobody. */
const UID = 59_999

/** `npm test` runs one of them as that user. */
const SPECS = process.env.CAPSTAN_TEST_LONG === 'all' ? ['escape', 'bombs', 'network', 'launcher'] : ['escape']

describe('core/exec as an ordinary user', function () {
  this.timeout(180_000)

  it('T-44 T-45 holds the same promises when the gateway is not root', async function () {
    needs(this, 'bwrap', 'python3', 'bash')
    if (process.geteuid?.() !== 0) skip(this, 'only root can start it as an ordinary user')
    const folder = await mkdtemp(join(tmpdir(), 'capstan-ordinary-'))
    await chown(folder, UID, UID)
    const here = dirname(fileURLToPath(import.meta.url))
    const mocha = join(packageRoot(), 'node_modules', 'mocha', 'bin', 'mocha.js')
    const specs = SPECS.map((name) => join(here, `${name}.spec.js`))
    try {
      const child = spawnSync(process.execPath, [mocha, '--no-config', '-r', 'reflect-metadata', '--reporter', 'dot', ...specs], {
        uid: UID,
        gid: UID,
        cwd: packageRoot(),
        // Node would hand its own coverage folder on, which that user may not write.
        env: { PATH: '/usr/bin:/bin', TMPDIR: folder, HOME: folder, NODE_V8_COVERAGE: undefined },
        encoding: 'utf8',
      })
      expect(child.stdout).to.match(/[1-9]\d* passing/)
      expect(child.status, child.stdout.slice(child.stdout.indexOf(' failing')) + child.stderr).to.equal(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
