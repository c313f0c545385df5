import { expect } from 'chai'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { hashKey } from '../../core/accounts/layout.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { fillLedger } from '../../scripts/growth/ledger.js'

describe('the ledger that growth is measured on', () => {
  it('has as many entries, accounts, keys and open holds as requested in each copy, its books agree, and nothing is left of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-filled-'))
    try {
      const filled = await fillLedger(folder, { entries: 300, accounts: 3, keys: 5, holds: 6 })
      const copy = filled.copy()
      const file = join(copy, 'capstan.db')
      const store = await openSqliteStore({ file, thread: 'same' })
      try {
        const found = await Promise.all(filled.keys.map((key) => store.keys.find(hashKey(key))))
        expect(found.map((one) => one?.account.id)).to.deep.equal(['acc_0', 'acc_1', 'acc_2', 'acc_0', 'acc_1'])
        expect(await store.ledger.balance('acc_0')).to.include({ open: 2, held: 2000 })
        const entries = await store.ledger.entries({ limit: 1_000 })
        expect(entries.filter(({ kind }) => kind === 'charge')).to.have.length(300)
        expect(new Set(entries.map(({ account }) => account)).size).to.equal(3)
      } finally {
        await store.close()
      }
      expect(auditLedger({ file }).problems).to.deep.equal([])
      filled.remove()
      rmSync(copy, { recursive: true })
      expect(readdirSync(folder)).to.deep.equal([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
