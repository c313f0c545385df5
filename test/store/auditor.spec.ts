import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { closeSync, openSync, writeSync } from 'node:fs'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { SCHEMA_VERSION } from '../../core/store/sqlite/schema.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { fillLedger } from '../support/ledger-sample.js'
import { chargeOf, DAY, holdOf, NOON, TemporaryFolder } from '../support/store.js'

async function fill(file: string): Promise<void> {
  const store = await openSqliteStore({ file, thread: 'same' })
  await fillLedger(store)
  await store.close()
}

/** Lets an unruly hand in: the tables' own guards are taken off meanwhile. */
function corrupt(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  const guards = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all() as { name: string; sql: string }[]
  db.exec('pragma ignore_check_constraints = on; pragma foreign_keys = off')
  for (const { name } of guards) db.exec(`drop trigger ${name}`)
  db.exec(sql)
  for (const guard of guards) db.exec(guard.sql)
  db.close()
}

const copy = (change: string) =>
  `insert into entries (acct, seq, ref, kind, amt, after, at, owner, note, key, cap_day, series, nth, failed, digest) ${change}`
/** The details of the first call. */
const SECOND = 'id = (select id from entries where acct = 1 and seq = 2)'
const SEQ = 'drop index entries_seq;'
const REF = 'drop index entries_ref;'

const CORRUPTIONS: readonly (readonly [string, string, RegExp])[] = [
  [
    'held that no hold explains',
    `update accounts set held = held + 1000 where id = 'acc'`,
    /^L1 account acc: holds add up to 2000 in 2, the account says 3000/,
  ],
  ['a wrong number of open holds', `update accounts set open = 7 where id = 'acc'`, /^L1 /],
  ['a hold without an account', `update holds set acct = 99 where id = 'open'`, /^L1 /],
  ['an overdraft', `update accounts set over = 0, held = 0, bal = -5 where id = 'other'`, /^L2 account other: -5 available/],
  [
    'a balance changed by hand',
    `update accounts set bal = bal + 1 where id = 'acc'`,
    /^L3 account acc: its entries add up to 94300, its balance is 94301/,
  ],
  ['an amount changed by hand', `update entries set amt = amt - 1 where acct = 1 and seq = 3`, /^L4 account acc, entry 3/],
  ['an entry that is gone', `delete from entries where acct = 1 and seq = 4`, /^L4 account acc, entry 5 .*: follows entry 3/],
  ['a last entry that is gone', `delete from entries where acct = 2`, /^L4 account other: the last entry is 0, the account says 1/],
  [
    'a sequence number used twice',
    `${SEQ} update entries set seq = 3 where acct = 1 and seq = 4`,
    /^L4 account 1: sequence number 3 is used 2 times/,
  ],
  [
    'a hold charged twice',
    `${REF} ${copy(`select acct, 100, ref, kind, amt, after, at, owner, note, key, cap_day, series, nth, failed, digest from entries where acct = 1 and seq = 2`)}`,
    /^L5 reference h_\d+ is used 2 times/,
  ],
  [
    'a hold that is open and resolved',
    `update entries set ref = 'open' where acct = 1 and seq = 2`,
    /^L5 hold open is open and in the journal as charge/,
  ],
  [
    'a refund of more than the charge',
    `update entries set amt = 1500 where ref = 'rf:refunded'`,
    /^L6 refund rf:refunded of 1500 gives back 1000/,
  ],
  [
    'a refund of no charge',
    `update entries set ref = 'rf:nothing' where ref = 'rf:refunded'`,
    /^L6 refund rf:nothing of 1000 gives back no charge/,
  ],
  ['a charge that gives money', `update entries set amt = 5 where acct = 1 and seq = 2`, /^L6 entry h_\d+: a charge of 5/],
  [
    'a late charge beside one that was not refunded',
    `${copy(`select acct, 13, 'late:kept', kind, amt, after + amt, at, owner, note, key, cap_day, series, nth, failed, digest from entries where acct = 1 and seq = 2`)}`,
    /^L6 entry late:kept: a late charge of a hold that was charged and not refunded/,
  ],
  [
    'a late charge of an open hold',
    `${copy(`select acct, 13, 'late2:open', kind, amt, after + amt, at, owner, note, key, cap_day, series, nth, failed, digest from entries where acct = 1 and seq = 2`)}`,
    /^L6 entry late2:open: a late charge of a hold that is open/,
  ],
  [
    'two late charges of one hold',
    `${copy(`select acct, 12 + n, ref || 'refunded', kind, amt, after, at, owner, note, key, cap_day, series, nth, failed, digest
      from (select acct, kind, amt, after, at, owner, note, key, cap_day, series, nth, failed, digest from entries where acct = 1 and seq = 2),
        (select 1 n, 'late:' ref union all select 2, 'late2:')`)}`,
    /^L6 hold refunded has 2 late charges that were not refunded/,
  ],
  ['a refund not noted at the charge', `update undelivered set refunded = 0 where ref = 'refunded'`, /^L7 undelivered refunded/],
  [
    'a delivery waited for without a charge',
    `insert into undelivered values (1, 'ghost', 'gw1', 0)`,
    /^L7 undelivered ghost: there is no such charge/,
  ],
  ['a rollup that counts too much', `update usage set calls = calls + 1 where errors = 1`, /^L10 account acc, day 2026-01-31/],
  ['a rollup with other credits', `update usage set credits = credits - 1 where acct = 1`, /^L10 account acc, day 2026-01-31/],
  ['a rollup that is missing', `delete from usage where acct = 1`, /^L10 account acc, day 2026-01-31, .*: the rollup has nothing/],
  [
    'a call missing in the history',
    `update entries set nth = null where acct = 1 and seq = 2`,
    /^L10 account acc, entry 2 .*: missing in the call history/,
  ],
  [
    'a call listed twice in its series',
    `update entries set nth = 1 where acct = 1 and seq = 3`,
    /^L10 account acc, entry 3 .*: number 1 of its series follows 1/,
  ],
  [
    'a kept answer that says other credits',
    `update idempotency set amount = 5 where hold = 'kept'`,
    /^L12 kept answer of kept says 5 credits, its charge is 1000/,
  ],
  ['a key that used other credits', `update keys set used = 1 where id = 'key_1'`, /^caps key key_1: used is 1/],
  [
    'a cap with a reservation of no hold',
    `update caps set reserved = 0`,
    /^caps cap capped: reserved is 0, the holds of its family add up to 1000/,
  ],
  [
    'a cap of which other credits were used',
    `update caps set used = 1`,
    /^caps cap capped: used is 1, the entries of its family add up to 500/,
  ],
  ['a cap with another day', `update caps set day_taken = 1`, /^caps cap capped: taken on its day is 1, calls of that day took 1500/],
  ['a cap that is not there', `delete from caps`, /^caps key capped spends on the cap capped, which does not exist/],
  ['a cap that counts other keys', `update caps set keys = 2`, /^caps cap capped counts 2 keys, 1 are not revoked/],
  [
    'details that are not those of the call',
    `update calls set facts = json_set(facts, '$.ms', 1) where ${SECOND}`,
    /^L11 account acc, entry 2 .*: its details are not those it was made with/,
  ],
  [
    'details that are gone',
    `delete from calls where ${SECOND}`,
    /^L10 account acc, entry 2 .*: has no details, and nothing of its time was trimmed$/,
  ],
  [
    'a call that keeps nothing of itself',
    `update entries set digest = null where acct = 1 and seq = 2; delete from calls where ${SECOND}`,
    /^L10 account acc, entry 2 .*: says nothing of its call$/,
  ],
  [
    'a series with a call too many',
    'update series set n = n + 1 where id = 1',
    /^L10 account acc: its series say 11 calls, the journal has 10$/,
  ],
  [
    'a number of a series that is left out',
    'update entries set nth = nth + 1 where series = 2; update series set n = n + 1 where id = 2',
    /^L10 account acc, entry \d+ .*: number 2 of its series follows 0$/,
  ],
  ['details of no entry', `insert into calls values (999, 0, '{}')`, /^L11 details 999 are of no entry that has a digest/],
  ['details of another time', `update calls set at = at + 1 where ${SECOND}`, /^L11 details \d+ are of no entry that has a digest/],
  [
    'a success that counts as a failure',
    `update entries set failed = 1 where seq = 2 and acct = 1`,
    /^L10 entry h_\d+: its details .* say success.* as failure/,
  ],
  [
    'a call that counts for another endpoint',
    `update entries set series = 2 where seq = 2 and acct = 1`,
    /^L10 entry h_\d+: its details are of \/v1\/search.*it counts for \/v1\/scrape/,
  ],
  [
    'a grant that says it failed',
    `update entries set failed = 0, digest = '00' where seq = 1 and acct = 1`,
    /^L10 entry grant acc: a grant that says whether it failed/,
  ],
  ['storage that nothing takes', `update accounts set stored = 5 where id = 'acc'`, /^storage account acc: stored is 5/],
]

describe('auditor', () => {
  let folder: TemporaryFolder
  const write = (sql: string) => {
    const db = new DatabaseSync(folder.file())
    db.exec(sql)
    db.close()
  }
  beforeEach(async () => {
    folder = new TemporaryFolder()
    await fill(folder.file())
  })
  afterEach(() => folder.remove())

  it('finds nothing in a ledger that only the store wrote', () => {
    expect(auditLedger({ file: folder.file(), now: NOON })).to.deep.equal({ ok: true, accounts: 2, entries: 13, problems: [] })
  })

  for (const [name, sql, problem] of CORRUPTIONS) {
    it(`finds ${name}`, () => {
      corrupt(folder.file(), sql)
      const report = auditLedger({ file: folder.file(), now: NOON })
      expect(report.ok).to.equal(false)
      expect(
        report.problems.some((line) => problem.test(line)),
        report.problems.join('\n'),
      ).to.equal(true)
    })
  }

  describe('where details were trimmed', () => {
    const problems = () => auditLedger({ file: folder.file(), now: NOON + 1 }).problems
    beforeEach(() => write(`update counters set value = ${NOON + 1} where name = 'trimmed'`))

    it('finds nothing, whatever part of them it meets', () => {
      for (const seq of [5, 2, 10, 8, 3, 12, 9, 4, 6, 7, 11]) {
        write(`delete from calls where id in (select id from entries where seq = ${seq})`)
        expect(problems(), `after entry ${seq}`).to.deep.equal([])
      }
    })

    it('finds nothing when a trimmed call is given back, and when an open one is charged after that', async () => {
      const store = await openSqliteStore({ file: folder.file(), thread: 'same' })
      expect(await store.ledger.trim({ before: NOON + 1 })).to.be.greaterThan(0)
      const now = NOON + 2 + DAY
      expect(await store.ledger.refund({ account: 'acc', hold: 'kept', reason: 'late', owner: 'cli', now })).to.include({ applied: true })
      await store.ledger.charge(chargeOf('open', 1000, { now }))
      expect(auditLedger({ file: folder.file(), now }).problems).to.deep.equal([])
      expect(await store.ledger.trim({ before: now + 1 })).to.equal(1)
      await store.close()
      expect(auditLedger({ file: folder.file(), now: now + 1 }).problems).to.deep.equal([])
    })

    it('finds a time of trimming that has not come', () => {
      write(`update counters set value = ${NOON + 2} where name = 'trimmed'`)
      expect(problems()).to.deep.equal(['L10 entries are trimmed up to a time that has not come'])
    })

    it('finds details that are gone of a time that was not trimmed', () => {
      write(`delete from calls where id in (select id from entries where seq = 2)`)
      write(`update counters set value = ${NOON} where name = 'trimmed'`)
      expect(
        problems().some((line) => /^L10 account acc, entry 2 .*: has no details, and nothing of its time was trimmed/.test(line)),
      ).to.equal(true)
    })

    const FAULTS: readonly (readonly [string, string, RegExp])[] = [
      [
        'calls too many in the rollup',
        'update usage set calls = calls + 1 where errors = 1',
        /the rollup has 10 calls, 1 errors, 5200, the journal 9 calls/,
      ],
      [
        'errors too few in the rollup',
        'update usage set errors = 0',
        /the rollup has 9 calls, 0 errors, 5200, the journal 9 calls, 1 errors/,
      ],
      [
        'other credits in the rollup',
        'update usage set credits = credits + 1 where errors = 1',
        /5201, the journal 9 calls, 1 errors, 5200/,
      ],
      [
        'an entry that counts for another endpoint',
        'update entries set series = 2 where seq = 2 and acct = 1',
        /^L10 account acc, day 2026-01-31, \/v1\/scrape: the rollup/,
      ],
      ['an entry that counts as a failure', 'update entries set failed = 1 where seq = 2 and acct = 1', /the journal 9 calls, 2 errors/],
      [
        'a series that counts too few',
        'update series set n = 0 where id = 2',
        /^L10 series \/v1\/scrape \(2\) says 0 calls, the journal has 1, up to number 1$/,
      ],
    ]
    for (const [name, sql, problem] of FAULTS)
      it(`finds ${name}, to the number, though every detail is gone`, () => {
        write('delete from calls')
        expect(problems()).to.deep.equal([])
        corrupt(folder.file(), sql)
        expect(
          problems().some((line) => problem.test(line)),
          problems().join('\n'),
        ).to.equal(true)
      })
  })

  for (const trigger of ['entries_fixed', 'entries_kept', 'calls_fixed', 'calls_kept'])
    it(`L11 finds that the trigger ${trigger} is gone, or does nothing`, () => {
      const problem = `L11 the trigger ${trigger} that keeps entries as they are is missing`
      const db = new DatabaseSync(folder.file())
      db.exec(`drop trigger ${trigger}`)
      expect(auditLedger({ file: folder.file(), now: NOON }).problems).to.deep.equal([problem])
      db.exec(`create trigger ${trigger} before update on entries begin select 1; end`)
      expect(auditLedger({ file: folder.file(), now: NOON }).problems).to.deep.equal([problem])
      db.close()
    })

  it('L9 finds overlong holds, but only where a gateway was alive to sweep them', () => {
    const now = NOON + 60_000 + 45_001
    expect(auditLedger({ file: folder.file(), now }).ok).to.equal(true)
    expect(auditLedger({ file: folder.file(), now, alive: true }).problems).to.have.length(2)
    expect(auditLedger({ file: folder.file(), now: now - 1, alive: true }).ok).to.equal(true)
  })

  it('L7 finds charges of gateways without a lease that no sweep has refunded, but only where a gateway was alive to sweep', () => {
    const problems = (now: number) => auditLedger({ file: folder.file(), now }).problems.filter((line) => line.startsWith('L7'))
    const late = NOON + 600_001
    expect(problems(late)).to.deep.equal([])
    write(`insert into leases values ('gw9', ${late + 1000})`)
    expect(problems(late).length).to.be.greaterThan(0)
    expect(problems(late)[0]).to.match(/^L7 charge h_\d+ awaits its delivery by gw1, which has no lease, for 600001 ms$/)
    expect(problems(late - 1)).to.deep.equal([])
    write(`insert into leases values ('gw1', ${NOON})`)
    expect(problems(late), "a lease that ran out is the next sweep's").to.deep.equal([])
  })

  it('F-11 says so when the file is damaged', () => {
    const file = openSync(folder.file(), 'r+')
    for (let page = 4; page < 40; page += 3) writeSync(file, Buffer.alloc(400, 0xa5), 0, 400, page * 4096 + 100)
    closeSync(file)
    const report = auditLedger({ file: folder.file(), now: NOON })
    expect(report.ok).to.equal(false)
    expect(report.problems[0]).to.match(/^file: /)
  })

  for (const version of [1, SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
    it(`F-11 says so when the file has version ${version} of the schema`, () => {
      write(`pragma user_version = ${version}`)
      expect(auditLedger({ file: folder.file(), now: NOON }).problems).to.deep.equal([
        `file: cannot be read to its end: its schema version is ${version}, this version of capstan checks ${SCHEMA_VERSION}`,
      ])
    })

  it('reads while the store writes, and sees one moment', async () => {
    const store = await openSqliteStore({ file: folder.file(), thread: 'worker' })
    const calls = Array.from({ length: 200 }, async () => {
      const request = holdOf({ account: 'other', maxOpen: 1000, amount: 10 })
      await store.ledger.hold(request)
      await store.ledger.charge(chargeOf(request.hold, 10, { account: 'other' }))
    })
    const reports = [0, 1, 2].map(() => auditLedger({ file: folder.file(), now: NOON }))
    await Promise.all(calls)
    reports.push(auditLedger({ file: folder.file(), now: NOON }))
    await store.close()
    expect(reports.flatMap((report) => report.problems)).to.deep.equal([])
    expect(reports.at(-1)?.entries).to.equal(213)
  })
})
