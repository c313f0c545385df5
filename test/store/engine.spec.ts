import { expect } from 'chai'
import { existsSync, statSync } from 'node:fs'
import { DiskReserve } from '../../core/store/sqlite/disk-reserve.js'
import { buildCommands } from '../../core/store/sqlite/commands.js'
import { Database } from '../../core/store/sqlite/database.js'
import { openEngine } from '../../core/store/sqlite/engine.js'
import { pageQuery } from '../../core/store/sqlite/history.js'
import { Runner } from '../../core/store/sqlite/runner.js'
import { prepare } from '../../core/store/sqlite/schema.js'
import { WriteCache } from '../../core/store/sqlite/write-cache.js'
import { workerThread } from '../../core/store/sqlite/threads.js'
import { chargeOf, fresh, holdOf, NOON, TemporaryFolder } from '../support/store.js'

/** Remembers the text of every query that is made on it. */
class RecordingDatabase extends Database {
  readonly texts: string[] = []

  override query<R = never>(text: string) {
    this.texts.push(text)
    return super.query<R>(text)
  }
}

/** Statements that may walk a whole table, and why that is no growth. */
const MAY_SCAN: readonly RegExp[] = [
  /^select instance from leases/, // one row for each living gateway
  /^delete from leases/,
  /from accounts a order by a.n limit/, // a page, in the order of the table
  /from holds h join accounts a .* where h.owner != \?/, // open holds only, once at start
  /from undelivered u join accounts a .* where u.owner != \?/, // answers not yet delivered or kept for replay, once at start
  /(from|delete from) refused where instance not in/, // counts of gateways that have ended, once at start
  /from audit order by id desc limit/, // a page, in the order of the table
]

describe('ledger on SQLite, the engine', () => {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = new TemporaryFolder()
  })
  afterEach(() => folder.remove())

  it('no statement walks or sorts a table that grows: the cost of a call does not depend on what was there before', () => {
    const db = new RecordingDatabase({ file: folder.file(), busyMs: 100 })
    prepare(db, folder.file())
    db.texts.length = 0
    buildCommands(db, new WriteCache(db))
    const texts = [...db.texts, pageQuery(0), pageQuery(1), pageQuery(24)]
    const bad: string[] = []
    for (const text of texts.filter((one) => !MAY_SCAN.some((allowed) => allowed.test(one.replaceAll(/\s+/g, ' '))))) {
      for (const { detail } of db.query<{ detail: string }>(`explain query plan ${text}`).all()) {
        const grows =
          /\bSCAN (accounts|keys|caps|calls|holds|entries|series|undelivered|usage|refused|idempotency|audit|artifacts|[acehkisuf]|i\b)( |$)/.test(
            detail,
          )
        const sorts = /TEMP B-TREE FOR (ORDER|LAST)/.test(detail)
        if (grows || sorts) bad.push(`${detail}: ${text.slice(0, 120)}`)
      }
    }
    db.close()
    expect(texts.length).to.be.greaterThan(60)
    expect(bad).to.deep.equal([])
  })

  describe('F-29 a full disk', () => {
    /** An engine whose file may not grow until the reserve is given up. */
    const engine = (roomWithout: number) => {
      const db = new Database({ file: folder.file(), busyMs: 100 })
      prepare(db, folder.file())
      const limit = (pages: number) => db.pragma(`max_page_count = ${pages}`)
      let now = 0
      class PagesReserve extends DiskReserve {
        override fill(): void {
          limit(db.pragma('page_count') + 3)
        }
        override spend(): void {
          super.spend()
          limit(db.pragma('page_count') + roomWithout)
        }
      }
      const reserve = new PagesReserve({ file: `${folder.file()}.reserve`, bytes: 0, monotonic: () => now })
      const runner = new Runner(db, reserve)
      const one = (name: Parameters<Runner['writes']>[0][number]['name'], ...args: unknown[]) => runner.writes([{ name, args }])
      one('accountCreate', { id: 'acc', name: 'First Last', now: NOON })
      one('post', { account: 'acc', ref: 'g', kind: 'grant', amount: 1e9, note: null, facts: null, owner: 'cli', now: NOON })
      reserve.fill()
      const wait = (ms: number) => {
        now += ms
      }
      return { db, reserve, one, wait }
    }

    it('refuses new holds as unavailable, still charges and releases the open ones, and recovers when there is room', () => {
      const { db, reserve, one, wait } = engine(200)
      const open: string[] = []
      let refusal = ''
      for (let count = 0; count < 2000 && refusal === ''; count++) {
        const hold = fresh()
        const call = { endpoint: '/v1/search', mode: 'x'.repeat(300), product: 'agent', request_id: 'r' }
        const { failures } = one('hold', holdOf({ hold, amount: 10, maxOpen: 5000, call }))
        if (failures[0] === undefined) open.push(hold)
        else refusal = `${failures[0].name}: ${failures[0].message}`
      }
      expect(refusal).to.match(/^StoreUnavailable: the disk is full/)
      expect(reserve.spent).to.equal(true)
      expect(open.length).to.be.greaterThan(5)
      for (const hold of open) expect(one('charge', chargeOf(hold, 10)).failures).to.deep.equal([])
      expect(one('hold', holdOf({ amount: 10 })).failures[0]?.message, 'not tried again at once').to.match(/^the disk is full/)
      wait(5000)
      expect(one('hold', holdOf({ amount: 10 })).failures).to.deep.equal([])
      expect(reserve.spent).to.equal(false)
      db.close()
    })

    it('the reserve takes its room, gives it up, and takes it back', () => {
      const file = folder.file('reserve')
      let now = 0
      const reserve = new DiskReserve({ file, bytes: 2_500_000, monotonic: () => now })
      reserve.fill()
      expect(statSync(file).size).to.equal(2_500_000)
      reserve.spend()
      expect(existsSync(file)).to.equal(false)
      expect(() => reserve.restore()).to.throw('the disk is full')
      now = 5000
      reserve.restore()
      expect(statSync(file).size).to.equal(2_500_000)
      expect(reserve.spent).to.equal(false)
    })

    it('is filled when the engine opens', () => {
      const { db } = openEngine({ file: folder.file(), busyMs: 100, reserveBytes: 100_000 }, 'shared')
      expect(statSync(`${folder.file()}.reserve`).size).to.equal(100_000)
      db.close()
    })
  })

  it('a thread that dies leaves its callers with an unknown outcome, and the next call finds a new one', async () => {
    const script = new URL('../support/store-dying-writer.js', import.meta.url)
    const { queue, close } = await workerThread({ file: folder.file(), busyMs: 100, reserveBytes: 0 }, script)
    const results = await Promise.allSettled([queue.call('settingPut', 'a', '1'), queue.call('settingGet', 'a')])
    for (const result of results) expect(result).to.have.nested.include({ status: 'rejected', 'reason.name': 'StoreUnavailable' })
    await queue.call('settingPut', 'a', '2')
    expect(await queue.call('settingGet', 'a')).to.equal('2')
    await close()
  })

  it('all commands of one turn are one commit', async () => {
    const { db, runner } = openEngine({ file: folder.file(), busyMs: 100, reserveBytes: 0 }, 'shared')
    const frames = () => {
      const row = db.query<{ log: number }>('pragma wal_checkpoint').get()
      return row?.log ?? 0
    }
    const puts = (count: number) => Array.from({ length: count }, (_, index) => ({ name: 'settingPut' as const, args: [`s${index}`, 'v'] }))
    runner.writes(puts(1))
    const one = frames()
    db.exec('pragma wal_checkpoint(truncate)')
    runner.writes(puts(40))
    expect(frames(), 'pages written for forty commands as for one').to.be.at.most(one + 1)
    db.close()
  })
})
