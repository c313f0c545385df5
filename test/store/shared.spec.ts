import { expect } from 'chai'
import type { StoreCall } from '../../core/store/sqlite/batch.js'
import type { Engine } from '../../core/store/sqlite/engine.js'
import { openEngine } from '../../core/store/sqlite/engine.js'
import { chargeOf, facts, fresh, holdOf, keyOf, NOON, TemporaryFolder } from '../support/store.js'

describe('ledger on SQLite, rows that the commands of one commit share', () => {
  let folder: TemporaryFolder
  let engine: Engine
  const write = (...calls: StoreCall[]) => engine.runner.writes(calls)
  const read = (call: StoreCall) => engine.runner.reads([call]).values[0]
  const grant = (ref: string, amount: number): StoreCall => {
    const request = { account: 'acc', ref, kind: 'grant', amount, note: null, facts: null, owner: 'cli', now: NOON }
    return { name: 'post', args: [request] }
  }
  const account: StoreCall = { name: 'accountCreate', args: [{ id: 'acc', name: 'First Last', now: NOON }] }
  const hold = (id: string, change: Parameters<typeof holdOf>[0] = {}): StoreCall => ({
    name: 'hold',
    args: [holdOf({ hold: id, ...change })],
  })
  const charge = (id: string, amount?: number): StoreCall => ({ name: 'charge', args: [chargeOf(id, amount)] })
  const balance: StoreCall = { name: 'balance', args: ['acc'] }

  beforeEach(() => {
    folder = new TemporaryFolder()
    engine = openEngine({ file: folder.file(), busyMs: 100, reserveBytes: 0 }, 'shared')
    write(account, grant('g', 10_000))
  })
  afterEach(() => {
    engine.db.close()
    folder.remove()
  })

  it('each command sees those before it: the money of three holds is not there for a fourth', () => {
    const { values } = write(...['a', 'b', 'c', 'd'].map((id) => hold(id, { amount: 3000 })))
    expect(values.map((value) => JSON.stringify(value).startsWith('{"ok":true'))).to.deep.equal([true, true, true, false])
    expect(read(balance)).to.include({ balance: 10_000, held: 9000, available: 1000, open: 3 })
  })

  it('a command that fails takes nothing of the others with it', () => {
    const { values, failures } = write(hold('a'), charge('a', Number.NaN), charge('a'), grant('more', 500))
    expect(failures.map(({ index }) => index)).to.deep.equal([1])
    expect(values[2]).to.include({ ok: true, already: false })
    expect(read(balance)).to.include({ balance: 9500, held: 0, open: 0, seq: 3 })
    const usage = read({ name: 'usage', args: [{ account: 'acc', sinceDay: '2026-01-31' }] })
    expect(JSON.stringify(usage), 'counted once').to.match(/^\[\{[^{}]*"calls":1,"errors":0,"credits":1000\}\]$/)
  })

  it('a hold whose id was held, charged or posted in the same commit is a duplicate, also one that there is no money for', () => {
    const { values, failures } = write(
      ...[hold('a'), hold('a'), charge('a'), hold('a'), grant('posted', 1), hold('posted')],
      ...[hold('b'), hold('b', { amount: 1e9 }), charge('b'), hold('b', { amount: 1e9 }), hold('c', { amount: 1e9 })],
    )
    expect(failures).to.deep.equal([])
    const why = values.map((value) => /"why":"([a-z]+)"/.exec(JSON.stringify(value))?.[1] ?? 'ok')
    expect(why).to.deep.equal([
      'ok',
      'duplicate',
      'ok',
      'duplicate',
      'ok',
      'duplicate',
      'ok',
      'duplicate',
      'ok',
      'duplicate',
      'insufficient',
    ])
    expect(read(balance)).to.include({ balance: 8001, held: 0, open: 0, seq: 4 })
  })

  it('a charge is found by its refund, and its delivery noted, in the commit that made it', () => {
    const refund: StoreCall = { name: 'refund', args: [{ account: 'acc', hold: 'a', reason: 'lost', owner: 'gw1', now: NOON }] }
    const delivered: StoreCall = { name: 'delivered', args: [[{ account: 'acc', ref: 'b' }]] }
    const { values } = write(hold('a'), charge('a'), refund, refund, hold('b'), charge('b'), delivered)
    expect(values.slice(2, 4).map((value) => JSON.stringify(value))).to.deep.equal([
      '{"ok":true,"applied":true,"balance":10000,"held":0,"available":10000}',
      '{"ok":true,"applied":false,"balance":10000,"held":0,"available":10000}',
    ])
    const marks = engine.db.query<{ ref: string }>('select ref from undelivered where refunded = 0').all()
    expect(marks).to.deep.equal([])
  })

  it('a charge above its hold is undone wholly: the hold stays open', () => {
    write(hold('a'))
    const { failures } = write(charge('a', 2000))
    expect(failures).to.have.length(1)
    expect(read(balance)).to.include({ balance: 10_000, held: 1000, open: 1 })
    expect(write(charge('a')).values[0]).to.include({ ok: true, amount: 1000 })
  })

  it('a command on the same rows by itself comes at its place: a disabled account refuses what follows and keeps what went before', () => {
    const disable: StoreCall = { name: 'accountPatch', args: ['acc', { disabled: true }] }
    const { values } = write(hold('a'), disable, hold('b'), charge('a'))
    expect(values[0]).to.include({ ok: true })
    expect(values[2]).to.deep.equal({ ok: false, why: 'disabled' })
    expect(values[3]).to.include({ ok: true, amount: 1000 })
    expect(read(balance)).to.include({ balance: 9000, held: 0, open: 0 })
  })

  it('the use of a key without a cap is counted before a cap of the same key is checked', () => {
    const key = keyOf({ id: 'key_1', credit_limit: 1500 })
    write({ name: 'keyCreate', args: [key] })
    const { values } = write(hold('a'), charge('a'), hold('b', { capped: true }))
    expect(values[2]).to.deep.equal({ ok: false, why: 'capped' })
    expect(read({ name: 'keyGet', args: ['acc', 'key_1'] })).to.include({ credits_used: 1000 })
  })

  it('calls of several endpoints and days in one commit are counted each in its own place', () => {
    const ids = Array.from({ length: 6 }, () => fresh())
    write(...ids.map((id) => hold(id, { amount: 100 })))
    const charges = ids.map((id, index): StoreCall => {
      const change = { facts: facts({ endpoint: index % 2 === 0 ? '/v1/search' : '/v1/scrape' }), now: NOON + (index < 4 ? 0 : 86_400_000) }
      return { name: 'charge', args: [chargeOf(id, 100, change)] }
    })
    write(...charges)
    const rows = read({ name: 'usage', args: [{ account: 'acc', sinceDay: '2026-01-31' }] })
    const seen = Array.isArray(rows) ? rows.map((row: unknown) => JSON.stringify(row)).sort() : []
    expect(seen.map((row) => /"day":"([\d-]+)","endpoint":"([^"]+)".*"calls":(\d)/.exec(row)?.slice(1).join(' '))).to.deep.equal([
      '2026-01-31 /v1/scrape 2',
      '2026-01-31 /v1/search 2',
      '2026-02-01 /v1/scrape 1',
      '2026-02-01 /v1/search 1',
    ])
  })
})
