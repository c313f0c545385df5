import { expect } from 'chai'
import { AccountService } from '../../../core/credits/account-service.js'
import { operatorRef, shownRef, withShownRefs } from '../../../core/credits/references.js'
import type { PostRequest, Store } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { chargeOf, furnish, holdOf, NOON, temporaryStore } from '../../support/store.js'

describe('references of operators', () => {
  let store: Store
  let end: () => Promise<void>
  const posted: PostRequest[] = []
  let accounts: AccountService
  beforeEach(async () => {
    ;({ store, end } = await temporaryStore())
    posted.length = 0
    const ledger = {
      ...store.ledger,
      post: async (request: PostRequest) => {
        posted.push(request)
        return await store.ledger.post(request)
      },
    }
    accounts = new AccountService({ ...store, ledger }, new HandClock())
    await furnish(store)
  })
  afterEach(async () => await end())

  it('are posted in a name space of their own, and shown as given', async () => {
    expect(await accounts.grant('acc', { amount: 5, ref: 'june', actor: 'admin' })).to.include({ ref: 'june', applied: true })
    expect(await accounts.grant('acc', { amount: 5, ref: 'june', actor: 'admin' })).to.include({ ref: 'june', applied: false })
    expect(posted.map(({ ref }) => ref)).to.deep.equal(['op:june', 'op:june'])
    const entries = await store.ledger.entries({ account: 'acc', limit: 10 })
    expect(shownRef(entries.at(-1)?.ref ?? '')).to.equal('june')
    const { detail } = (await store.settings.auditLog({ limit: 1, offset: 0 }))[0] ?? { detail: {} }
    expect(detail).to.include({ ref: 'june' })
  })

  it('T-62 of any form prevent no refund', async () => {
    await store.ledger.hold(holdOf({ hold: 'h1' }))
    await store.ledger.charge(chargeOf('h1'))
    const { balance } = (await store.ledger.balance('acc')) ?? { balance: NaN }
    for (const ref of ['rf:h1', 'late:h1', 'h1']) await accounts.grant('acc', { amount: 1, ref, actor: 'admin' })
    expect(posted.map(({ ref }) => ref)).to.deep.equal(['op:rf:h1', 'op:late:h1', 'op:h1'])
    const refunded = await store.ledger.refund({ account: 'acc', hold: 'h1', reason: 'lost', owner: 'gw1', now: NOON })
    expect(refunded).to.include({ ok: true, applied: true, balance: balance + 3_000 + 1_000 })
  })

  it('are not what an opening balance is posted under', async () => {
    await accounts.create('x', 5, 'admin')
    expect(posted.map(({ ref }) => ref)).to.deep.equal(['opening-balance'])
  })

  it('are in findings of the auditor as they were given', () => {
    expect(operatorRef('op:x')).to.equal('op:op:x')
    expect(shownRef('op:op:x')).to.equal('op:x')
    expect(shownRef('late:h1')).to.equal('late:h1')
    expect(withShownRefs('account acc, entry 3 (grant op:june): after is wrong; entry op:july belongs to no account')).to.equal(
      'account acc, entry 3 (grant june): after is wrong; entry july belongs to no account',
    )
  })
})
