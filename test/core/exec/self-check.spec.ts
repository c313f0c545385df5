import { expect } from 'chai'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSandbox } from '../../../core/exec/sandbox.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { skip } from '../../support/needs.js'
import { callOf, faultOf, needs, openSandbox } from '../../support/exec-sandbox.js'

const NAMES = [
  'files',
  'network',
  'capabilities',
  'privileges',
  'syscalls',
  'namespaces',
  'kernel',
  'environment',
  'call files',
  'time',
  'memory',
  'processes',
  'disk',
]

describe('core/exec self-check', function () {
  this.timeout(30_000)
  let folder: string

  before(async function () {
    needs(this, 'bwrap')
    // Not below /tmp, which is another folder inside the sandbox.
    folder = await mkdtemp('/var/tmp/capstan-exec-check-')
    await chmod(folder, 0o755)
  })

  after(() => (folder === undefined ? undefined : rm(folder, { recursive: true })))

  it('F-38 tries every promise, and all hold here', async () => {
    const box = await openSandbox()
    const status = await box.sandbox.status()
    expect(status.checks.filter(({ ok }) => !ok)).to.deep.equal([])
    expect(status.checks.map(({ name }) => name)).to.deep.equal(NAMES)
    expect(status.checks.filter(({ isolation }) => !isolation).map(({ name }) => name)).to.deep.equal([
      'time',
      'memory',
      'processes',
      'disk',
    ])
    expect(status.live).to.equal(true)
    expect(status.detail).to.match(/^bubblewrap \d/)
    await box.close()
  })

  it('F-38 T-44 finds a sandbox with holes, names them, and runs nothing in it', async () => {
    const secret = join(folder, 'secret')
    await mkdir(secret)
    await writeFile(join(secret, 'key'), 'key')
    const leaky = join(folder, 'leaky')
    await writeFile(
      leaky,
      `#!/bin/sh\nexport LEAK=1\n[ "$1" = --version ] && exec /usr/bin/bwrap --version\nexec /usr/bin/bwrap --ro-bind ${secret} ${secret} "$@"\n`,
      { mode: 0o755 },
    )
    const box = await openSandbox({ programs: (name) => (name === 'bwrap' ? leaky : undefined), protectedPaths: [secret] })
    const status = await box.sandbox.status()
    expect(status.live).to.equal(false)
    expect(status.checks.filter(({ ok }) => !ok).map(({ name }) => name)).to.include.members(['files', 'environment'])
    expect(status.detail).to.include(secret).and.to.include('LEAK')
    expect((await faultOf(box.run('true', []))).kind).to.equal('broken')
    expect((await faultOf(box.sandbox.parse(new URL('file:///x.js'), Buffer.alloc(0), {}, callOf()))).internal).to.include(
      'isolation does not hold',
    )
    await box.close()
  })

  for (const [what, make] of [
    ['itself', (closed: string) => closed],
    ['in the middle of the way', (closed: string) => join(closed, 'open')],
    ['behind a link', (closed: string) => join(closed, '..', 'link')],
  ] as const)
    it(`B10 is not live when users of jobs cannot enter the folder of temporary files, ${what}, and names what to change`, async function () {
      if (process.geteuid?.() !== 0) skip(this, 'only as root jobs run as other users')
      const base = await mkdtemp(join(folder, 'tmp-'))
      await chmod(base, 0o755)
      const closed = join(base, 'closed')
      await mkdir(join(closed, 'open'), { recursive: true })
      await symlink(join(closed, 'open'), join(base, 'link'))
      await chmod(closed, 0o700)
      const usual = process.env['TMPDIR']
      process.env['TMPDIR'] = make(closed)
      try {
        const host = { clock: systemClock, log: () => undefined, programs: () => undefined, slots: 4, protectedPaths: [] }
        const sandbox = createSandbox({ ...host, proxySocket: () => Promise.reject(new Error('no proxy in this test')) })
        const { live, detail, checks } = await sandbox.status()
        expect([live, checks.filter(({ ok }) => !ok).map(({ name }) => name)]).to.deep.equal([false, ['call files']])
        expect(detail).to.include(`chmod o+x ${closed}, or set TMPDIR`)
        await sandbox.close()
      } finally {
        if (usual === undefined) delete process.env['TMPDIR']
        else process.env['TMPDIR'] = usual
      }
    })

  it('F-38 is not live when bubblewrap cannot start', async () => {
    const broken = join(folder, 'broken')
    await writeFile(
      broken,
      '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9 && exit 0\necho "bwrap: No permissions to create a new namespace" >&2; exit 1\n',
      { mode: 0o755 },
    )
    const box = await openSandbox({ programs: (name) => (name === 'bwrap' ? broken : undefined) })
    const status = await box.sandbox.status()
    expect(status.live).to.equal(false)
    expect(status.detail).to.include('No permissions to create a new namespace')
    await box.close()
  })
})
