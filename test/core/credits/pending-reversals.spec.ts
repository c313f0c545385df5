import { expect } from 'chai'
import { LedgerService } from '../../../core/credits/ledger-service.js'
import { PendingReversals } from '../../../core/credits/pending-reversals.js'
import { IdempotencyService } from '../../../core/calls/idempotency/service.js'
import type { Caller } from '../../../core/accounts/caller.js'
import {
  StoreUnavailable,
  type ClaimRequest,
  type ClaimResult,
  type IdempotencyStore,
  type LedgerStore,
} from '../../../core/store/types.js'
import { cancelIn, HandClock } from '../../support/outbound.js'
import { facts } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'

interface Command {
  readonly account: string
  readonly hold: string
}

/** A ledger that records its reversals; `fails` decides which commands are rejected. */
function parts(fails: (command: Command) => Error | null = () => null) {
  const clock = new HandClock()
  const undone: string[] = []
  const freed: unknown[] = []
  const logs: string[] = []
  const seen = { tries: 0, running: 0, most: 0 }
  const run = async (command: Command): Promise<unknown> => {
    seen.tries++
    seen.most = Math.max(seen.most, ++seen.running)
    await settle(1)
    seen.running--
    const error = fails(command)
    if (error !== null) throw error
    return { ok: false, why: 'absent' }
  }
  const ledger = {
    release: (command: Command) => run(command),
    refund: async (command: Command) => {
      await run(command)
      undone.push(command.hold)
      return { ok: false, why: 'absent' }
    },
  } as unknown as LedgerStore
  const idempotency = { free: (claim: unknown) => Promise.resolve(freed.push(claim) > 0) } as unknown as IdempotencyStore
  const reversals = new PendingReversals(ledger, clock, { instance: 'gw', log: (_level, message) => void logs.push(message), idempotency })
  return { clock, undone, freed, logs, seen, ledger, idempotency, reversals }
}

const away = (): StoreUnavailable => new StoreUnavailable('no server', { sent: false })
const lost = (): StoreUnavailable => new StoreUnavailable('lost')
const caller = { account: { id: 'acc', auth: 0, max_open: null }, key: { id: 'k' }, capped: false } as unknown as Caller

describe('pending reversals', () => {
  it('are charges first, eight at once', async () => {
    const { reversals, undone, seen } = parts()
    for (let count = 0; count < 20; count++) reversals.add({ account: 'acc', hold: `hold ${count}` })
    for (let count = 0; count < 20; count++) reversals.add({ account: 'acc', hold: `charge ${count}`, charged: true })
    await settle(400)
    expect(reversals.size).to.equal(0)
    expect(seen.most).to.equal(8)
    // The first hold had begun before the charges came.
    expect(undone.indexOf('charge 19')).to.be.below(undone.indexOf('hold 1'))
  })

  it('of one account that cannot be written keep none of the others, whatever the error is', async () => {
    for (const error of [lost(), new Error('the books are broken')]) {
      let broken = true
      const { reversals, undone, seen, logs, clock } = parts(({ account }) => (broken && account === 'broken' ? error : null))
      for (let count = 0; count < 100; count++) reversals.add({ account: 'broken', hold: `b${count}`, charged: true })
      for (let count = 0; count < 50; count++) reversals.add({ account: `acc ${count}`, hold: `h${count}` })
      await reversals.flush()
      await reversals.flush()
      expect(undone).to.have.length(50)
      expect(reversals.size).to.equal(100)
      expect(seen.tries, 'the broken account is not tried for each of its holds').to.be.below(140)
      expect(logs.every((line) => line === 'hold could not be released')).to.equal(true)
      broken = false
      clock.advance(5_000)
      await settle(400)
      expect(reversals.size).to.equal(0)
    }
  })

  it('try a ledger that is away a few times and wait, however many they are', async () => {
    const { reversals, seen, clock } = parts(() => lost())
    for (let count = 0; count < 5_000; count++) reversals.add({ account: `acc ${count}`, hold: `h${count}` })
    await settle(50)
    expect(seen.tries).to.be.below(32)
    clock.advance(250)
    await settle(50)
    expect(seen.tries).to.be.within(17, 64)
  })

  it('are bounded: the oldest hold that was never charged is left to the sweeper, a charge never is', async () => {
    const { reversals } = parts(() => lost())
    for (let count = 0; count < 6_000; count++) reversals.add({ account: 'acc', hold: `charge ${count}`, charged: true })
    for (let count = 0; count < 6_000; count++) reversals.add({ account: 'acc', hold: `hold ${count}` })
    expect([reversals.size, reversals.dropped]).to.deep.equal([10_000, 2_000])
    expect([reversals.has('hold 1999'), reversals.has('hold 2000'), reversals.has('charge 0')]).to.deep.equal([false, true, true])
    for (let count = 6_000; count < 11_000; count++) reversals.add({ account: 'acc', hold: `charge ${count}`, charged: true })
    expect([reversals.size, reversals.has('hold 5999'), reversals.has('charge 10999')]).to.deep.equal([11_000, false, true])
    reversals.add({ account: 'acc', hold: 'charge 7' })
    expect(reversals.size, 'what may have been charged stays so').to.equal(11_000)
    await reversals.close()
  })

  it('are not made for holds that were never sent', async () => {
    const { reversals, clock, ledger } = parts()
    let error = away()
    const refusing = Object.assign(Object.create(ledger) as LedgerStore, { hold: () => Promise.reject(error) })
    const service = new LedgerService(refusing, clock, { instance: 'gw', accountConcurrency: 64, retryMs: 1_000, reversals })
    const hold = () => errorOf(service.hold(caller, { amount: 1, capability: 'x', limitMs: 1_000 }, () => Promise.resolve(caller)))
    for (let count = 0; count < 100; count++) expect(await hold()).to.be.instanceOf(StoreUnavailable)
    expect(reversals.size).to.equal(0)
    error = lost()
    await hold()
    expect(reversals.size).to.equal(2)
    await reversals.close()
  })

  it('of a charge that was sent may have been made and are never dropped, those of one that was not may be', async () => {
    for (const [error, kept] of [
      [lost(), true],
      [away(), false],
    ] as const) {
      const { reversals, clock, ledger } = parts(() => error)
      const refusing = Object.assign(Object.create(ledger) as LedgerStore, { charge: () => Promise.reject(error) })
      const service = new LedgerService(refusing, clock, { instance: 'gw', accountConcurrency: 64, retryMs: 0, reversals })
      const hold = { account: 'acc', hold: 'charged', amount: 1, balance: 1, held: 1, available: 0 }
      expect(await errorOf(service.charge(hold, 1, facts()))).to.equal(error)
      for (let count = 0; count < 10_000; count++) reversals.add({ account: 'acc', hold: `hold ${count}` })
      expect([reversals.has('charged'), reversals.dropped], `sent ${error.sent}`).to.deep.equal([kept, 1])
      await reversals.close()
    }
  })
})

describe('a claim whose reply was lost', () => {
  const claimed: ClaimResult = { state: 'claimed', attempt: 1, abandoned: null }
  const request = { account: 'acc', key: 'k', fingerprint: 'f', hold: 'h1', limitMs: 1_000, once: true, cancel: cancelIn() }

  /** An idempotency service whose claims end in order with the given outcomes. */
  function service(...outcomes: (ClaimResult | Error)[]) {
    const { reversals, freed, clock } = parts()
    const claims: string[] = []
    const freedAtOnce: unknown[] = []
    const state = { own: false }
    const store = {
      claim: ({ hold }: ClaimRequest) => {
        claims.push(hold)
        const outcome = outcomes.shift() ?? claimed
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)
      },
      free: ({ account, attempt, hold }: { account: string; attempt: number; hold: string }) => (
        freedAtOnce.push({ account, attempt, hold }),
        Promise.resolve(state.own)
      ),
    } as unknown as IdempotencyStore
    const files = { write: () => Promise.resolve(''), read: () => Promise.resolve(new Uint8Array()) }
    return {
      idempotency: new IdempotencyService(store, clock, { instance: 'gw', files, reversals }),
      freed,
      claims,
      reversals,
      freedAtOnce,
      state,
    }
  }

  it('is claimed again under the same hold', async () => {
    const { idempotency, freed, claims, reversals } = service(lost(), claimed)
    expect(await idempotency.claim(request)).to.have.property('claim')
    expect(claims).to.deep.equal(['h1', 'h1'])
    await reversals.flush()
    expect(freed).to.deep.equal([])
  })

  it('is freed in the background when that fails too, fenced by its attempt and hold', async () => {
    for (const second of [lost(), away()]) {
      const { idempotency, freed, reversals } = service(lost(), second)
      await errorOf(idempotency.claim(request))
      await reversals.flush()
      expect(freed).to.have.length(1)
      expect(freed[0]).to.deep.include({ account: 'acc', attempt: 1, hold: 'h1' })
    }
  })

  const running: ClaimResult = { state: 'running', fingerprint: 'f', lockUntil: 0 }

  it('is freed and claimed again where the store takes it for the attempt of somebody else', async () => {
    const { idempotency, claims, freedAtOnce, state } = service(lost(), running, claimed)
    state.own = true
    expect(await idempotency.claim(request)).to.have.property('claim')
    expect(freedAtOnce).to.deep.equal([{ account: 'acc', attempt: 1, hold: 'h1' }])
    expect(claims).to.have.length(3)
  })

  it('that was not carried out, while somebody else runs, is 409 and changes nothing', async () => {
    const { idempotency, claims, freed, reversals } = service(lost(), running, claimed)
    expect((await errorOf(idempotency.claim(request))).message).to.contain('still running')
    await reversals.flush()
    expect([claims.length, freed.length]).to.deep.equal([2, 0])
  })

  it('is not freed when it was never sent', async () => {
    const { idempotency, freed, reversals } = service(away(), away())
    expect(await errorOf(idempotency.claim(request))).to.be.instanceOf(StoreUnavailable)
    await reversals.flush()
    expect(freed).to.deep.equal([])
  })
})
