import { expect } from 'chai'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../core/exec/programs.js'
import { openStore } from '../../../core/store/open.js'
import { openSandbox } from '../../support/exec-sandbox.js'
import { capstan, Served } from '../../support/served.js'
import { skip } from '../../support/needs.js'

/** Files below a folder that others than their owner may use, with their modes. */
function openFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `${path} ${(statSync(path).mode & 0o777).toString(8)}`)
}

describe('modes of files', function () {
  this.timeout(40_000)
  let folder: string
  let umask: number

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-modes-'))
    for (const name of ['data', 'books', 'copies']) mkdirSync(join(folder, name), { mode: 0o755 })
    umask = process.umask(0o022)
  })
  afterEach(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true, force: true })
  })

  it('T-26 what serve, ledger export, store move and backup write is for its owner alone, in folders that everybody may enter', async () => {
    const env = { CAPSTAN_STORE: `sqlite:${join(folder, 'books', 'capstan.db')}` }
    const data = join(folder, 'data')
    const gateway = new Served({ data, env })
    try {
      await gateway.line('ready')
      await gateway.account(10)
      const copy = await capstan(['backup', join(folder, 'copies', 'copy.db')], { data, env })
      expect(copy.code, copy.err).to.equal(0)
      expect((await capstan(['ledger', 'export'], { data, env })).code).to.equal(0)
      expect(readdirSync(join(folder, 'books'))).to.include.members(['capstan.db', 'capstan.db-wal', 'capstan.db-shm', 'capstan.db.lock'])
      expect(readdirSync(join(folder, 'copies'))).to.deep.equal(['copy.db'])
      expect(openFiles(folder)).to.deep.equal([])
    } finally {
      await gateway.end()
    }
    rmSync(join(folder, 'books', 'capstan.db.lock'))
    const refused = await capstan(['store', 'move', '--to', 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=100'], { data, env })
    expect(refused.code).to.equal(1)
    expect(readdirSync(join(folder, 'books'))).to.include('capstan.db.lock')
    expect(openFiles(folder)).to.deep.equal([])
  })

  it('T-26 a database and its copy are for their owner alone whatever the umask is', async () => {
    process.umask(0)
    const store = await openStore('sqlite:capstan.db', join(folder, 'books'), { thread: 'worker', reserveBytes: 1024 })
    try {
      await store.settings.put('link-secret', 'x')
      await store.backup(join(folder, 'copies', 'copy.db'))
      expect(readdirSync(join(folder, 'books'))).to.include('capstan.db-wal')
      expect(openFiles(folder)).to.deep.equal([])
    } finally {
      await store.close()
    }
  })

  it('source code of plugins is written for everybody to read, because the gateway may run as another user', async () => {
    const made = await capstan(['plugin', 'new', 'weather', '--folder', join(folder, 'copies')], { data: join(folder, 'data') })
    expect(made.code, made.err).to.equal(0)
    expect((statSync(join(folder, 'copies', 'weather')).mode & 0o777).toString(8)).to.equal('755')
    expect((statSync(join(folder, 'copies', 'weather', 'index.ts')).mode & 0o777).toString(8)).to.equal('644')
  })

  it('files for a program with isolation of its own are readable for its user under the umask of the gateway', async function () {
    if (findProgram('stat', undefined) === undefined) skip(this, 'stat is not installed')
    process.umask(0o077)
    const box = await openSandbox()
    try {
      const result = await box.run('stat', ['-c', '%a', '.', 'in.txt'], {
        isolation: 'external',
        toolFiles: () => [{ name: 'in.txt', data: Buffer.from('x') }],
      })
      expect(result.out).to.equal('755\n644\n')
    } finally {
      await box.close()
    }
  })
})
