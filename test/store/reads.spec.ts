import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { useFakeTimers } from 'sinon'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { auditInThread } from '../../scripts/capstan/audit/thread.js'
import { auditStore } from '../../scripts/capstan/audit/store.js'
import { buildCommands } from '../../core/store/sqlite/commands.js'
import { Database } from '../../core/store/sqlite/database.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { readerThread } from '../../core/store/sqlite/threads.js'
import { WriteCache } from '../../core/store/sqlite/write-cache.js'
import { chargeOf, facts, fresh, furnish, holdOf, NOON, temporaryStore } from '../support/store.js'
import { skip } from '../support/needs.js'

describe('ledger on SQLite, reads beside the ledger', () => {
  let opened: Awaited<ReturnType<typeof temporaryStore>>
  beforeEach(async () => {
    opened = await temporaryStore()
    await furnish(opened.store)
  })
  afterEach(() => opened.end())

  const engine = () => ({ file: opened.file, busyMs: 100, reserveBytes: 0 })
  const page = { now: NOON, limit: 10, offset: 0 }

  it('a reader that dies rejects its pending queries, and the next call finds a new one', async () => {
    const script = new URL('../support/store-dying-reader.js', import.meta.url)
    const { queue, close } = readerThread(engine(), { script })
    const error: unknown = await queue.call('keyList', 'acc', page).catch((thrown: unknown) => thrown)
    expect(error).to.include({ name: 'StoreUnavailable' })
    expect(await queue.call('keyList', 'acc', page)).to.have.property('total', 1)
    await close()
  })

  it('a reader ends after a minute without work, and the next call starts another', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { queue, close } = readerThread(engine(), { script: new URL('../support/store-counted-reader.js', import.meta.url) })
    const startsAfter = async (ms: number) => {
      clock.tick(ms)
      expect(await queue.call('keyList', 'acc', page)).to.have.property('total', 1)
      return readFileSync(`${opened.file}.starts`, 'utf8').length
    }
    try {
      expect([await startsAfter(0), await startsAfter(59_999), await startsAfter(59_999), await startsAfter(60_000)]).to.deep.equal([
        1, 1, 1, 2,
      ])
    } finally {
      clock.restore()
    }
    await close()
    expect(await queue.call('keyList', 'acc', page).catch((thrown: unknown) => thrown)).to.include({
      name: 'StoreUnavailable',
      sent: false,
    })
  })

  it('a page of keys has at most a thousand rows, however many there are and whatever is requested', async () => {
    const db = new DatabaseSync(opened.file)
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into keys (id, acct, name, hash, prefix, rate, created_at) select 'k' || i, 1, 'k', 'h' || i, 'p', 60, i from n`)
    db.close()
    const listed = await opened.store.keys.list('acc', { now: NOON, limit: 1e9, offset: 0 })
    expect(listed.keys).to.have.length(1000)
    expect(listed.total).to.equal(3001)
    expect((await opened.store.keys.list('acc', { now: NOON, limit: 1000, offset: 3000 })).keys.map(({ id }) => id)).to.deep.equal([
      'key_1',
    ])
  })

  it('a page at any offset of the history reads as few rows as the first, beside the binary search', async () => {
    const made: string[] = []
    for (let count = 0; count < 300; count++) {
      const request = holdOf({ amount: 1 })
      await opened.store.ledger.hold(request)
      const change = count % 3 === 0 ? { endpoint: '/v1/scrape', capability: 'pages.scrape' } : {}
      await opened.store.ledger.charge(chargeOf(request.hold, 1, { facts: facts(change) }))
      made.unshift(request.hold)
    }
    class CountingDatabase extends Database {
      reads = 0
      override query<R = never>(text: string) {
        const query = super.query<R>(text)
        const get = query.get.bind(query)
        query.get = (...values) => {
          this.reads += 1
          return get(...values)
        }
        return query
      }
    }
    const db = new CountingDatabase({ file: opened.file, busyMs: 100, readOnly: true })
    const { calls } = buildCommands(db, new WriteCache(db))
    for (const offset of [0, 1, 150, 290, 299]) {
      db.reads = 0
      const { rows, total } = calls({ account: 'acc', limit: 5, offset })
      expect(total).to.equal(300)
      expect(rows.map(({ id }) => id)).to.deep.equal(made.slice(offset, offset + 5))
      expect(db.reads, `lookups at offset ${offset}`).to.be.at.most(2 * 10 + 4)
    }
    const scraped = made.filter((_, index) => (299 - index) % 3 === 0)
    expect(calls({ account: 'acc', endpoint: '/v1/scrape', limit: 4, offset: 93 }).rows.map(({ id }) => id)).to.deep.equal(
      scraped.slice(93, 97),
    )
    db.close()
  })

  it('a page of keys reads its own keys only: others are passed over and counted in an index', async () => {
    class NotingDatabase extends Database {
      readonly used = new Set<string>()
      override query<R = never>(text: string) {
        const query = super.query<R>(text)
        const { get, all } = { get: query.get.bind(query), all: query.all.bind(query) }
        query.get = (...values) => (this.used.add(text), get(...values))
        query.all = (...values) => (this.used.add(text), all(...values))
        return query
      }
    }
    const db = new NotingDatabase({ file: opened.file, busyMs: 100, readOnly: true })
    buildCommands(db, new WriteCache(db)).keyList('acc', { now: NOON, limit: 5, offset: 100 })
    const plans = [...db.used].flatMap((text) => db.query<{ detail: string }>(`explain query plan ${text}`).all())
    const ofKeys = plans.map(({ detail }) => detail).filter((detail) => /^(?:SEARCH|SCAN) k\b/.test(detail))
    expect(ofKeys).to.have.length.above(2)
    for (const detail of ofKeys) expect(detail).to.match(/USING COVERING INDEX|\(id=\?\)/)
    db.close()
  })

  it('the thread that reads gives way to the others, and no other thread does', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has what this test reads')
    const niceOf = (task: string) =>
      Number(
        readFileSync(`/proc/self/task/${task}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      )
    const own = niceOf(String(process.pid))
    const { queue, close } = readerThread(engine())
    await queue.call('keyList', 'acc', page)
    const others = readdirSync('/proc/self/task').map(niceOf)
    expect(niceOf(String(process.pid))).to.equal(own)
    expect(others.filter((nice) => nice > own)).to.have.length(1)
    await close()
  })

  it('an audit runs on its own thread and says what it says on this one; one that dies is an error', async () => {
    const request = holdOf({ hold: fresh() })
    await opened.store.ledger.hold(request)
    expect(await auditStore(`sqlite:${opened.file}`)).to.deep.equal(auditLedger({ file: opened.file }))
    const dying = new URL('../support/no-such-script.js', import.meta.url)
    expect(await auditInThread({ file: opened.file }, dying).catch((error: unknown) => String(error))).to.match(/the audit was ended/)
  })

  it('reads on a thread see what was acknowledged before', async () => {
    const store = await openSqliteStore({ file: opened.file, thread: 'worker' })
    for (let count = 0; count < 20; count++) {
      const request = holdOf({ amount: 1 })
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold, 1))
      const { rows, total } = await store.history.calls({ account: 'acc', limit: 1, offset: 0 })
      expect([rows[0]?.id, total]).to.deep.equal([request.hold, count + 1])
    }
    await store.close()
  })
})
