import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, readdirSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { openStore } from '../../core/store/open.js'
import { SCHEMA_VERSION } from '../../core/store/sqlite/schema.js'
import { takeServeLock } from '../../core/store/sqlite/serve-lock.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { chargeOf, furnish, holdOf, NOON, TemporaryFolder } from '../support/store.js'

const message = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('it was not refused')
  expect(error.message, 'one line').to.not.include('\n')
  return `${error.name}: ${error.message}`
}

describe('ledger on SQLite, the file', () => {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = new TemporaryFolder()
  })
  afterEach(() => folder.remove())

  const open = (thread: 'worker' | 'same' = 'same', busyMs = 2000) => openSqliteStore({ file: folder.file(), thread, busyMs })
  const filled = async (thread: 'worker' | 'same' = 'same') => {
    const store = await open(thread)
    await furnish(store)
    for (let count = 0; count < 50; count++) {
      const request = holdOf({ amount: 10 })
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold, 10))
    }
    await store.close()
  }

  describe('F-11 what cannot be used is refused in one line and left as it is', () => {
    for (const thread of ['same', 'worker'] as const) {
      it(`text, opened on ${thread}`, async () => {
        writeFileSync(folder.file(), 'This is no database. '.repeat(500))
        const before = readFileSync(folder.file())
        expect(await message(open(thread))).to.match(/^StoreRefused: .*ledger\.db: the file is not a database .*nothing was changed$/)
        expect(readFileSync(folder.file()).equals(before)).to.equal(true)
      })
    }

    it('a database of another program', async () => {
      const other = new DatabaseSync(folder.file())
      other.exec('create table notes (text)')
      other.close()
      const before = readFileSync(folder.file())
      expect(await message(open())).to.match(/^StoreRefused: .* is a database of another program; nothing was changed$/)
      expect(readFileSync(folder.file()).equals(before)).to.equal(true)
    })

    for (const [version, why] of [
      [99, /^StoreRefused: .* has schema version 99, this version of capstan supports \d+: update capstan; nothing was changed$/],
      [SCHEMA_VERSION + 1, /: update capstan; nothing was changed$/],
      [
        SCHEMA_VERSION - 1,
        /has schema version \d+, of a version before the first release, this version of capstan supports \d+: name another file; nothing/,
      ],
      [1, /has schema version 1, of a version before the first release/],
    ] as const)
      for (const thread of ['same', 'worker'] as const)
        it(`a schema of version ${version}, on ${thread === 'same' ? 'the same thread' : 'a thread of its own'}`, async () => {
          await filled('worker')
          const other = new DatabaseSync(folder.file())
          other.exec(`pragma journal_mode = delete; pragma user_version = ${version}`)
          other.close()
          const before = readFileSync(folder.file())
          expect(await message(open(thread))).to.match(why)
          expect(readFileSync(folder.file()).equals(before), 'nothing was changed').to.equal(true)
        })

    it('flipped bytes inside', async () => {
      await filled()
      const file = openSync(folder.file(), 'r+')
      for (let page = 3; page < 30; page++) writeSync(file, Buffer.alloc(64, 0xff), 0, 64, page * 4096)
      closeSync(file)
      expect(await message(open())).to.match(/^StoreRefused: .*(damaged|corrupt)/)
    })
  })

  it('opens again and again, also twice at once, without touching what is there', async () => {
    const stores = await Promise.all([open('worker'), open('same'), open('worker')])
    await Promise.all(stores.map((store) => store.accounts.create({ id: 'acc', name: 'First Last', now: NOON })))
    await Promise.all(stores.map((store) => store.close()))
    const again = await open()
    expect(await again.accounts.list({ limit: 10, offset: 0 })).to.have.length(1)
    await again.close()
  })

  it('leaves one complete file when closed', async () => {
    const store = await open('worker')
    await furnish(store)
    await store.close()
    writeFileSync(folder.file('copy.db'), readFileSync(folder.file()))
    expect(auditLedger({ file: folder.file('copy.db') })).to.deep.equal({ ok: true, accounts: 1, entries: 1, problems: [] })
  })

  for (const thread of ['same', 'worker'] as const) {
    it(`F-10 locked by another process: unavailable after the wait, and well again afterwards (${thread})`, async () => {
      const store = await open(thread, 100)
      await furnish(store)
      const other = new DatabaseSync(folder.file())
      other.exec('begin immediate')
      const results = await Promise.allSettled([store.ledger.hold(holdOf()), store.ledger.hold(holdOf())])
      for (const result of results)
        expect(result).to.deep.include({ status: 'rejected' }).and.nested.include({ 'reason.name': 'StoreUnavailable' })
      expect(await store.ledger.balance('acc'), 'reads go on').to.include({ held: 0 })
      other.exec('rollback')
      other.close()
      expect((await store.ledger.hold(holdOf())).ok).to.equal(true)
      await store.close()
    })
  }

  it('keeps entries as they are, and no account below zero, whoever writes', async () => {
    await filled()
    const hand = new DatabaseSync(folder.file())
    expect(() => hand.exec('update entries set amt = 5 where seq = 1')).to.throw('entries never change')
    expect(() => hand.exec('delete from entries')).to.throw('entries are never deleted')
    expect(() => hand.exec('update accounts set held = bal + 1')).to.throw('CHECK constraint failed')
    expect(() => hand.exec('update accounts set bal = 1.5')).to.throw('REAL')
    expect(() => hand.exec(`insert into holds values (77, 'h', 1, 0, 0, 'o', 'k', null, 'c', null, null)`)).to.throw('FOREIGN KEY')
    hand.close()
  })

  describe('F-42 backup', () => {
    it('taken under load passes the auditor, and holds every call acknowledged before', async () => {
      const store = await open('worker')
      await furnish(store, 1_000_000)
      let stop = false
      const call = async () => {
        const request = holdOf({ amount: 10, maxOpen: 1000 })
        await store.ledger.hold(request)
        await store.ledger.charge(chargeOf(request.hold, 10))
      }
      for (let count = 0; count < 50; count++) await call()
      const load = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (!stop) await call()
        }),
      )
      const { bytes } = await store.backup(folder.file('backup.db'))
      stop = true
      await load
      await store.close()
      const report = auditLedger({ file: folder.file('backup.db') })
      expect(report.problems).to.deep.equal([])
      expect(report.entries).to.be.at.least(51)
      expect(bytes).to.be.greaterThan(4096)
      const restored = await openSqliteStore({ file: folder.file('backup.db'), thread: 'same' })
      expect(await restored.ledger.sweep({ now: NOON, graceMs: 0, owner: 'new', deadOwners: 'all-but-owner' })).to.have.property('refunded')
      await restored.close()
    })

    it('overwrites nothing and leaves nothing half written', async () => {
      await filled()
      const store = await open()
      writeFileSync(folder.file('there.db'), 'mine')
      expect(await message(store.backup(folder.file('there.db')))).to.match(/already exists/)
      expect(readFileSync(folder.file('there.db'), 'utf8')).to.equal('mine')
      expect(await message(store.backup(folder.file('no/such/folder.db')))).to.match(/^StoreRefused: the folder .* does not exist/)
      await store.close()
      expect(readdirSync(folder.path).filter((name) => name.includes('part'))).to.deep.equal([])
    })
  })

  describe('serve.lock', () => {
    const self = { pid: 4242, since: NOON }
    const children: ChildProcess[] = []
    afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))
    const holder = async (...args: string[]) => {
      const script = fileURLToPath(new URL('../support/store-lock-child.js', import.meta.url))
      const child = spawn(process.execPath, [script, folder.path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
      children.push(child)
      await once(child.stdout, 'data')
      return child
    }

    it('F-10 a second gateway on the folder is refused with the pid of the first', async () => {
      const child = await holder()
      expect(() => takeServeLock(folder.path, self)).to.throw(`the gateway with pid ${child.pid}, started`)
      child.kill('SIGKILL')
      await once(child, 'exit')
      takeServeLock(folder.path, self).release()
    })

    it('F-10 a second gateway on the ledger is refused whatever its data folder is, also under another name of the file', async () => {
      const child = await holder(folder.file())
      const other = new TemporaryFolder()
      symlinkSync(folder.path, other.file('linked'))
      symlinkSync(folder.file(), other.file('link.db'))
      try {
        for (const name of [folder.file(), other.file('linked/ledger.db'), other.file('link.db')])
          expect(() => takeServeLock(other.path, self, name), name).to.throw(
            new RegExp(
              `^the gateway with pid ${child.pid}, started .* uses the ledger .*/ledger\\.db: stop it first, or name another file$`,
            ),
          )
        takeServeLock(other.path, self, other.file('mine.db')).release()
        child.kill('SIGKILL')
        await once(child, 'exit')
        takeServeLock(other.path, self, other.file('link.db')).release()
      } finally {
        other.remove()
      }
    })

    it('is refused inside one process too, and free after release', () => {
      const lock = takeServeLock(folder.path, self)
      expect(() => takeServeLock(folder.path, { pid: 1, since: 1 })).to.throw(
        'the gateway with pid 4242, started 2026-01-31T12:00:00.000Z,',
      )
      lock.release()
      lock.release()
      takeServeLock(folder.path, { pid: 1, since: 1 }).release()
    })

    it('a pid left behind by a dead process means nothing, even when another process has it now', async () => {
      const child = await holder()
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(existsSync(folder.file('serve.lock'))).to.equal(true)
      takeServeLock(folder.path, self).release()
    })

    it('a file that is none of ours is refused in one line', () => {
      writeFileSync(folder.file('serve.lock'), 'x'.repeat(5000))
      expect(() => takeServeLock(folder.path, self)).to.throw(/serve\.lock: the file is not a database/)
    })

    it('does not stop command-line tools: they open the database as ordinary writers', async () => {
      const lock = takeServeLock(folder.path, self)
      const store = await open()
      await furnish(store)
      await store.close()
      lock.release()
    })
  })

  describe('the setting', () => {
    it('sqlite:{path} is relative to the data folder', async () => {
      const store = await openStore('sqlite:deep/down.db', folder.path, { thread: 'same' })
      await store.close()
      expect(existsSync(folder.file('deep/down.db'))).to.equal(true)
    })

    it('F-01 mongodb:// names a server, which is said to be out of reach without its password', async () => {
      const said = await message(openStore('mongodb://user:canary-secret@127.0.0.1:1/x', folder.path, { thread: 'same' }))
      expect(said)
        .to.match(/^StoreUnavailable: mongodb:\/\/.*127\.0\.0\.1:1/)
        .and.not.include('canary')
    })

    it('anything else is refused with what to write', async () => {
      for (const setting of ['', 'sqlite:', 'postgres://x', 'file.db']) {
        expect(await message(openStore(setting, folder.path, { thread: 'same' }))).to.match(
          /^StoreRefused: the store setting \(CAPSTAN_STORE\) is not valid: use sqlite:\{path\} or mongodb/,
        )
      }
    })
  })
})
