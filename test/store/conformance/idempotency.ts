import { expect } from 'chai'
import { answer, chargeOf, claimOf, DAY, furnish, holdOf, NOON } from '../../support/store.js'
import type { Fixture } from './fixture.js'

/** Idempotency keys: claim, takeover, fence, replay. */
export function idempotencyCases(fixture: Fixture): void {
  const keys = () => fixture.store.idempotency
  const later = NOON + 30_000

  beforeEach(() => furnish(fixture.store))

  it('the first claim gets the key, the next one gets that it runs', async () => {
    expect(await keys().claim(claimOf())).to.deep.equal({ state: 'claimed', attempt: 1, abandoned: null })
    expect(await keys().claim(claimOf({ fingerprint: 'other' }))).to.deep.equal({ state: 'running', fingerprint: 'same', lockUntil: later })
  })

  it('N-14 of a thousand claims at once exactly one gets the key', async () => {
    const results = await Promise.all(Array.from({ length: 1000 }, () => keys().claim(claimOf())))
    expect(results.filter((result) => result.state === 'claimed')).to.have.length(1)
  })

  it('belongs to the account: the same key of another one is another key', async () => {
    await furnish(fixture.store, 1, 'other')
    await keys().claim(claimOf())
    expect(await keys().claim(claimOf({ account: 'other' }))).to.include({ state: 'claimed' })
  })

  it('kept answers count where a hold requests room, until they are deleted', async () => {
    const { hold } = claimOf()
    await keys().claim(claimOf({ hold }))
    const whyNot = async (storedBelow: number, now = NOON) => {
      const result = await fixture.store.ledger.hold(holdOf({ amount: 0, storedBelow, now, deadline: now + 1000 }))
      return result.ok ? 'ok' : result.why
    }
    expect(await whyNot(1)).to.equal('ok')
    const response = answer({ body: new Uint8Array(300) })
    await keys().keep({ account: 'acc', key: 'idem', attempt: 1, hold, response, now: NOON })
    expect([await whyNot(300), await whyNot(301)]).to.deep.equal(['full', 'ok'])
    const later = NOON + 2 * DAY
    await fixture.store.ledger.sweep({ now: later, graceMs: 30_000, owner: 'gw1', deadOwners: [] })
    expect(await whyNot(1, later)).to.equal('ok')
  })

  it('an answer is kept and comes back byte for byte', async () => {
    const { hold } = claimOf()
    await keys().claim(claimOf({ hold }))
    const body = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
    const response = answer({ body, gzip: true, headers: { 'content-type': 'x', 'x-credits-used': '1' }, file: 'art_1' })
    expect(await keys().keep({ account: 'acc', key: 'idem', attempt: 1, hold, response, now: NOON })).to.equal(true)
    const replay = await keys().claim(claimOf())
    if (replay.state !== 'kept') throw new Error(`the answer was not kept: ${replay.state}`)
    expect(replay.hold).to.equal(hold)
    expect([...replay.response.body]).to.deep.equal([...body])
    expect({ ...replay.response, body: null }).to.deep.equal({ ...response, body: null })
  })

  it('T-62 a takeover after the lock names the abandoned hold, and the sleeper loses every step', async () => {
    const sleeper = claimOf()
    await keys().claim(sleeper)
    expect(await keys().claim(claimOf({ now: later - 1 }))).to.include({ state: 'running' })
    const taken = claimOf({ now: later, lockUntil: later + 30_000 })
    expect(await keys().claim(taken)).to.deep.equal({ state: 'claimed', attempt: 2, abandoned: sleeper.hold })
    const mine = { account: 'acc', key: 'idem', attempt: 1, hold: sleeper.hold }
    expect(await keys().keep({ ...mine, response: answer(), now: later })).to.equal(false)
    expect(await keys().keep({ ...mine, attempt: 2, response: answer(), now: later })).to.equal(false)
    expect(await keys().free(mine)).to.equal(false)
    expect(await keys().finalise(mine)).to.equal(false)
    expect(await keys().keep({ account: 'acc', key: 'idem', attempt: 2, hold: taken.hold, response: answer(), now: later })).to.equal(true)
  })

  it('another fingerprint never takes over', async () => {
    await keys().claim(claimOf())
    expect(await keys().claim(claimOf({ fingerprint: 'other', now: later }))).to.include({ state: 'running', fingerprint: 'same' })
  })

  it('a port that acts on the world is not run again: its abandoned attempt becomes final', async () => {
    const first = claimOf({ once: true })
    await keys().claim(first)
    expect(await keys().claim(claimOf({ once: true, now: later }))).to.deep.equal({ state: 'final', fingerprint: 'same' })
    const mine = { account: 'acc', key: 'idem', attempt: 1, hold: first.hold }
    expect(await keys().keep({ ...mine, response: answer(), now: later })).to.equal(false)
  })

  it('a freed key can be claimed again; a final one stays final', async () => {
    const first = claimOf()
    await keys().claim(first)
    expect(await keys().free({ account: 'acc', key: 'idem', attempt: 1, hold: first.hold })).to.equal(true)
    const second = claimOf()
    expect(await keys().claim(second)).to.deep.equal({ state: 'claimed', attempt: 1, abandoned: null })
    expect(await keys().finalise({ account: 'acc', key: 'idem', attempt: 1, hold: second.hold })).to.equal(true)
    expect(await keys().claim(claimOf({ now: later }))).to.deep.equal({ state: 'final', fingerprint: 'same' })
  })

  it('a kept answer is over when it expires', async () => {
    const { hold } = claimOf()
    await keys().claim(claimOf({ hold }))
    await keys().keep({ account: 'acc', key: 'idem', attempt: 1, hold, response: answer(), now: NOON })
    expect(await keys().claim(claimOf({ now: NOON + DAY, expires: NOON + 2 * DAY }))).to.include({ state: 'claimed', abandoned: null })
  })

  it('T-62 two claims at the moment of takeover: one wins', async () => {
    await keys().claim(claimOf())
    const results = await Promise.all(Array.from({ length: 10 }, () => keys().claim(claimOf({ now: later, lockUntil: later + 1000 }))))
    expect(results.filter((result) => result.state === 'claimed')).to.have.length(1)
  })

  it('an answer whose bytes are left to the charge counts once, however often the charge is sent', async () => {
    const request = holdOf()
    const { hold } = request
    await keys().claim(claimOf({ hold }))
    await fixture.store.ledger.hold(request)
    const response = answer({ body: new Uint8Array(500) })
    await keys().keep({ account: 'acc', key: 'idem', attempt: 1, hold, response, counted: 'by-charge', now: NOON })
    for (const already of [false, true])
      expect(await fixture.store.ledger.charge(chargeOf(hold, 1000, { keptBytes: 500 }))).to.include({ ok: true, already })
    expect(await fixture.store.artifacts.used('acc')).to.equal(500)
    await fixture.store.ledger.sweep({ now: NOON + DAY, graceMs: 0, owner: 'gw1', deadOwners: [] })
    expect(await fixture.store.artifacts.used('acc')).to.equal(0)
  })

  it('kept answers count in the storage of the account until they are dropped', async () => {
    const { hold } = claimOf()
    await keys().claim(claimOf({ hold }))
    await keys().keep({ account: 'acc', key: 'idem', attempt: 1, hold, response: answer({ body: new Uint8Array(500) }), now: NOON })
    expect(await fixture.store.artifacts.used('acc')).to.equal(500)
    await fixture.store.ledger.sweep({ now: NOON + DAY, graceMs: 0, owner: 'gw1', deadOwners: [] })
    expect(await fixture.store.artifacts.used('acc')).to.equal(0)
  })
}
