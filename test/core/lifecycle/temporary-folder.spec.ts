import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { ConfigError } from '../../../core/problems/errors.js'
import { openTemporaryFolder, useTemporaryFolder } from '../../../core/lifecycle/temporary-folder.js'
import { errorOf } from '../../support/unit.js'
import { skip } from '../../support/needs.js'

describe('core/temporary-folder', () => {
  let parent: string
  const logs: string[] = []
  const open = () => openTemporaryFolder(parent, (_, message) => void logs.push(message))

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'capstan-temporary-test-'))
    logs.length = 0
  })

  afterEach(() => rm(parent, { recursive: true, force: true }))

  it('is deleted with all that is in it', async () => {
    const folder = await open()
    await mkdir(join(folder.path, 'deep', 'deeper'), { recursive: true })
    await writeFile(join(folder.path, 'deep', 'file'), 'x')
    await folder.close()
    expect(await readdir(parent)).to.deep.equal([])
  })

  it('can be entered, but not listed, by programs that run as other users', async () => {
    const folder = await open()
    expect((await stat(folder.path)).mode & 0o777).to.equal(0o711)
    await folder.close()
  })

  it('that a killed process left is deleted by the next start, also when a living process has the same number', async () => {
    const module = JSON.stringify(new URL('../../../core/lifecycle/temporary-folder.js', import.meta.url).href)
    const code = `const { openTemporaryFolder } = await import(${module}); console.log((await openTemporaryFolder(${JSON.stringify(parent)}, () => {})).path); setInterval(() => {}, 1000)`
    const killed = spawn(process.execPath, ['--import', 'reflect-metadata', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(killed.stdout.setEncoding('utf8'), 'data')) as [string]
    const left = line.trim()
    const beside = await open()
    expect(existsSync(left)).to.equal(true)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const next = await open()
    expect(existsSync(left)).to.equal(false)
    expect(existsSync(beside.path)).to.equal(true)
    expect(logs).to.deep.equal([])
    await Promise.all([beside.close(), next.close()])
  })

  it('that is being made stays, as do other names and links', async () => {
    const old = new Date(Date.now() - 120_000)
    for (const name of ['capstan-making', 'capstan-other-name', 'capstan-leftxx']) await mkdir(join(parent, name))
    await symlink(parent, join(parent, 'capstan-linked'))
    for (const name of ['capstan-leftxx', 'capstan-other-name']) await utimes(join(parent, name), old, old)
    await (await open()).close()
    expect((await readdir(parent)).toSorted()).to.deep.equal(['capstan-linked', 'capstan-making', 'capstan-other-name'])
  })

  it('names TMPDIR when no folder can be made, or the name of its lock would be too long', async () => {
    const long = join(parent, 'x'.repeat(100))
    await mkdir(long)
    for (const where of ['/nonexistent', long]) {
      const error = await errorOf(openTemporaryFolder(where, () => undefined))
      expect(error).to.be.instanceOf(ConfigError)
      expect(error.message).to.include('TMPDIR').and.include(where)
    }
    expect(await readdir(long)).to.deep.equal([])
    parent = join(long, 'none')
    await errorOf(open())
    expect(logs).to.deep.equal(['folders left by killed gateways could not be searched'])
    parent = dirname(long)
    const longest = join(parent, 'x'.repeat(74 - parent.length))
    await mkdir(longest)
    const folder = await openTemporaryFolder(longest, () => undefined)
    expect(Buffer.byteLength(join(folder.path, 'job-123456', 'proxy'))).to.be.at.most(107)
    await folder.close()
  })

  it('B10 lies in the usual place when users of jobs cannot enter the one that TMPDIR names, and the log says what to change', async function () {
    if (process.geteuid?.() !== 0) skip(this, 'only as root jobs run as other users')
    const [closed, usual] = [join(parent, 'closed'), join(parent, 'usual')]
    await mkdir(join(closed, 'open'), { recursive: true })
    await mkdir(usual)
    await chmod(parent, 0o755)
    await chmod(closed, 0o700)
    const before = process.env['TMPDIR']
    const use = async (named: string, other = usual): Promise<string> => {
      process.env['TMPDIR'] = named
      const folder = await useTemporaryFolder((_, message) => void logs.push(message), other)
      expect(tmpdir()).to.equal(folder.path)
      await folder.close()
      return dirname(folder.path)
    }
    try {
      expect(await use(join(closed, 'open'))).to.equal(usual)
      expect(logs.splice(0)).to.deep.equal([
        `TMPDIR=${join(closed, 'open')} cannot be entered by the users of jobs: chmod o+x ${closed}, or set TMPDIR to another folder`,
      ])
      expect(await use(closed, join(closed, 'open')), 'neither can be entered: programs are refused by the check').to.equal(closed)
      expect(logs.splice(0)).to.have.length(1)
      expect(await use(usual)).to.equal(usual)
      expect(await use(relative(process.cwd(), usual)), 'a relative name means nothing to programs').to.equal(usual)
      expect(logs).to.deep.equal([])
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
  })

  it('of another user stays, and is no reason not to start', async function () {
    if (process.geteuid?.() !== 0) skip(this, 'only root can do what this test does')
    const folder = join(parent, 'capstan-others')
    await mkdir(folder)
    await chmod(parent, 0o1777)
    const { chown } = await import('node:fs/promises')
    await chown(folder, 12_345, 12_345)
    const old = new Date(Date.now() - 120_000)
    await utimes(folder, old, old)
    await (await open()).close()
    expect(existsSync(folder)).to.equal(true)
  })
})
