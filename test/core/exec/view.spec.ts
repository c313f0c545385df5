import { expect } from 'chai'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programFolders } from '../../../core/exec/programs.js'
import { unseen } from '../../../core/exec/self-check.js'
import { viewArgs } from '../../../core/exec/view.js'
import { hiddenPaths } from '../../../core/lifecycle/hidden-paths.js'
import { needs, openSandbox } from '../../support/exec-sandbox.js'
import { fakeConfig } from '../../support/loader.js'

describe('core/exec what a sandbox shows', function () {
  this.timeout(30_000)
  let folder: string

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'capstan-view-')))
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Writes files below the folder, readable for everybody. */
  const write = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o755 })
      await writeFile(join(folder, name), 'canary', { mode: 0o644 })
    }
  }
  const at = (name: string): string => join(folder, name)
  const view = (more: Partial<Parameters<typeof viewArgs>[0]>): string =>
    viewArgs({ system: [folder], readOnly: [], writable: [], hidden: [], ...more })
      .join(' ')
      .replaceAll(folder, '')

  it('T-44 hides a folder and a file below what every sandbox is shown, and what is hidden twice once', async () => {
    await write('app/data/x', 'app/capstan.yml', 'one.yml')
    expect(view({ hidden: [at('app'), at('app/data'), at('app/capstan.yml'), at('one.yml'), at('absent'), '/etc/hostname'] })).to.equal(
      '--perms 0000 --size 4096 --tmpfs /app --ro-bind /dev/null /one.yml --remount-ro /app',
    )
  })

  it('T-44 shows by name what lies in a hidden folder, and hides again what lies in that', async () => {
    await write('app/dist/x', 'app/dist/data/x', 'app/capstan.yml')
    expect(view({ readOnly: [at('app/dist')], hidden: [at('app/dist/data'), at('app')] })).to.equal(
      '--perms 0755 --size 4096 --tmpfs /app --ro-bind /app/dist /app/dist --perms 0000 --size 4096 --tmpfs /app/dist/data --remount-ro /app --remount-ro /app/dist/data',
    )
  })

  it('T-44 hides what a link leads to, where it would be seen', async () => {
    await write('real/data/x')
    await symlink(at('real'), at('link'))
    expect(view({ hidden: [at('link/data')] })).to.equal('--perms 0000 --size 4096 --tmpfs /real/data --remount-ro /real/data')
    expect(view({ system: [], readOnly: [at('link')], hidden: [at('real/data')] })).to.equal(
      '--ro-bind /link /link --perms 0000 --size 4096 --tmpfs /link/data --remount-ro /link/data',
    )
  })

  it('T-44 no program sees protected paths and covered folders below /usr, and the self-check agrees', async function () {
    needs(this, 'bwrap', 'bash')
    const box = await openSandbox({ protectedPaths: ['/usr/bin/arch'], coveredFolders: ['/usr/share/doc'] })
    try {
      const result = await box.run('bash', ['-c', 'ls -A /usr/share/doc; cat /usr/bin/arch; ls /usr/bin/bash'])
      expect(result.out).to.equal('/usr/bin/bash\n')
      expect((await box.sandbox.status()).checks.find(({ name }) => name === 'files')).to.include({ ok: true })
    } finally {
      await box.close()
    }
  })

  it('F-38 the self-check tries each covered folder', async function () {
    needs(this, 'bwrap')
    await rm(folder, { recursive: true })
    // Not below /tmp, which is another folder inside the sandbox.
    folder = await mkdtemp('/var/tmp/capstan-view-')
    await chmod(folder, 0o755)
    await write('covered/x')
    await writeFile(
      at('leaky'),
      `#!/bin/sh\n[ "$1" = --version ] && exec /usr/bin/bwrap --version\nexec /usr/bin/bwrap --ro-bind ${at('covered')} ${at('covered')} "$@"\n`,
      { mode: 0o755 },
    )
    await chmod(at('leaky'), 0o755)
    const box = await openSandbox({ programs: (name) => (name === 'bwrap' ? at('leaky') : undefined), coveredFolders: [at('covered')] })
    try {
      const { live, detail } = await box.sandbox.status()
      expect(live).to.equal(false)
      expect(detail).to.include(at('covered'))
    } finally {
      await box.close()
    }
  })

  it('tries what lies beside a shown program, and never what is shown', async () => {
    await write('home/.local/bin/node', 'home/.local/lib/node_modules/x', 'home/.local/share/x', 'home/.env')
    const shown = [at('home/.local/bin/node'), at('home/.local/lib/node_modules')]
    expect(unseen([at('home'), '/etc/shadow', at('home/.env')], shown)).to.have.members([
      at('home/.env'),
      at('home/.local/share'),
      '/etc/shadow',
    ])
  })

  it('T-44 a Node in the .local of a home shows its binary and its packages, nothing beside them', async function () {
    needs(this, 'bwrap')
    await write('.local/share/keyrings/login.keyring', '.local/lib/notes', '.local/bin/tool', '.local/lib/node_modules/x')
    await copyFile(process.execPath, at('.local/bin/node'))
    await chmod(at('.local/bin/node'), 0o755)
    expect(programFolders(at('.local/bin/node'))).to.deep.equal([at('.local/bin/node'), at('.local/lib/node_modules')])
    const box = await openSandbox({ programs: (name) => (name === 'node' ? at('.local/bin/node') : undefined) })
    try {
      const code = `const { readdirSync } = require('fs'); console.log(readdirSync('${at('.local')}', { recursive: true }).sort().join())`
      const result = await box.run('node', ['-e', code])
      expect(result.out, result.err).to.equal('bin,bin/node,lib,lib/node_modules,lib/node_modules/x\n')
    } finally {
      await box.close()
    }
  })

  it('a program below /usr that a covered folder hides is shown by name', () => {
    expect(programFolders('/usr/bin/env')).to.deep.equal([])
    expect(programFolders('/usr/bin/env', ['/usr/bin'])).to.include('/usr/bin')
  })

  it('T-44 hides configuration, ledger, artifacts, package and working folder, but no folder that programs need', async () => {
    await write('conf/capstan.yml', 'work/.env')
    const settings = {
      ...fakeConfig().settings,
      data: at('data'),
      store: `sqlite:${at('books/capstan.db')}`,
      artifacts: `file:${at('kept')}`,
    }
    const config = { ...fakeConfig(), settings, file: at('conf/capstan.yml') }
    const { protectedPaths, coveredFolders } = hiddenPaths(config, at('work'))
    for (const name of ['data', 'kept', 'books/capstan.db', 'books/capstan.db-wal', 'conf/capstan.yml', 'work/.env'])
      expect(protectedPaths).to.include(at(name))
    expect(coveredFolders).to.include.members([at('conf'), at('books'), at('work')])
    expect(coveredFolders).to.have.length(4)
    for (const cwd of ['/', '/usr', '/usr/local', '/usr/lib']) expect(hiddenPaths(config, cwd).coveredFolders).to.not.include(cwd)
    expect(hiddenPaths(config, '/usr/local/etc').coveredFolders).to.include('/usr/local/etc')
  })
})
