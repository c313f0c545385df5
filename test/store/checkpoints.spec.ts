import { expect } from 'chai'
import { Checkpoints } from '../../core/store/sqlite/checkpoints.js'
import { Database } from '../../core/store/sqlite/database.js'
import { TemporaryFolder } from '../support/store.js'
import { settle } from '../support/unit.js'
import { until } from '../support/time.js'

/** Fills a page of the log. */
const PAGE = 'x'.repeat(4_000)

describe('copying the write-ahead log into the file', () => {
  let folder: TemporaryFolder
  let db: Database
  let now: number
  const open = (elsewhere: boolean): Checkpoints => new Checkpoints(db, { file: folder.file(), elsewhere, monotonic: () => now })
  const state = () => db.query<{ log: number; checkpointed: number }>('pragma wal_checkpoint(noop)').get() ?? { log: -1, checkpointed: -1 }
  const commit = (pages: number): void => {
    db.exec('begin')
    for (let page = 0; page < pages; page++) db.query('insert into pages values (?)').run(PAGE)
    db.exec('commit')
  }
  /** Somebody who reads the ledger for long, and how that ends. */
  const reader = (): (() => void) => {
    const other = new Database({ file: folder.file(), busyMs: 0, readOnly: true })
    other.exec('begin')
    other.query('select count(*) from pages').get()
    return () => {
      other.exec('commit')
      other.close()
    }
  }

  beforeEach(() => {
    folder = new TemporaryFolder()
    db = new Database({ file: folder.file(), busyMs: 0 })
    db.becomeWriter()
    db.exec('create table pages (text text)')
    now = 0
  })
  afterEach(() => {
    db.close()
    folder.remove()
  })

  it('waits until the log is long, and the next commit then begins it anew', () => {
    const checkpoints = open(false)
    commit(3_000)
    checkpoints.copyIfDue()
    expect(state().checkpointed).to.equal(0)
    commit(1_500)
    checkpoints.copyIfDue()
    expect(state().checkpointed).to.equal(state().log)
    commit(1)
    expect(state().log).to.be.below(100)
  })

  it('cannot go past a reader, and is done within a second of its end', () => {
    const checkpoints = open(false)
    const leave = reader()
    commit(5_000)
    for (; now < 2_000; now += 10) {
      commit(1)
      checkpoints.copyIfDue()
    }
    expect(state().checkpointed, 'no page past the reader').to.be.below(100)
    leave()
    for (const end = now + 1_000; now <= end && state().checkpointed < state().log; now += 10) checkpoints.copyIfDue()
    expect(state().checkpointed).to.equal(state().log)
  })

  it('of much is done on a thread of its own, beside the commits', async () => {
    const checkpoints = open(true)
    commit(9_000)
    checkpoints.copyIfDue()
    expect(state().checkpointed, 'not here').to.equal(0)
    commit(1)
    await until(() => state().checkpointed >= 9_000)
    await settle(100)
    now += 1_000
    checkpoints.copyIfDue()
    expect(state().checkpointed).to.equal(state().log)
  }).timeout(20_000)
})
