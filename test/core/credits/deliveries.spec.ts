import { expect } from 'chai'
import { Deliveries, OWN_STORE_BATCH, SHARED_STORE_BATCH } from '../../../core/credits/deliveries.js'
import { PublishTimer } from '../../../core/credits/publishing.js'
import type { LedgerStore } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

describe('delivery marks', () => {
  function parts(lose = 0, slow = false, batch = OWN_STORE_BATCH) {
    const clock = new HandClock()
    let finish: () => void = () => undefined
    const batches: string[][] = []
    const logs: string[] = []
    let lost = 0
    const ledger = {
      delivered: (refs: { ref: string }[]) => (
        batches.push(refs.map(({ ref }) => ref)),
        lost++ < lose
          ? Promise.reject(new Error('away'))
          : slow
            ? new Promise<void>((resolve) => void (finish = resolve))
            : Promise.resolve()
      ),
    } as unknown as LedgerStore
    return {
      clock,
      batches,
      logs,
      finish: () => finish(),
      deliveries: new Deliveries(ledger, clock, { log: (_level, message) => void logs.push(message), batch }),
    }
  }

  it('are written in one batch ten milliseconds after the first', async () => {
    const { clock, batches, deliveries } = parts()
    deliveries.mark('acc', 'a')
    deliveries.mark('acc', 'b')
    clock.advance(9)
    expect(batches).to.deep.equal([])
    clock.advance(1)
    await settle()
    deliveries.mark('acc', 'c')
    clock.advance(10)
    await settle()
    expect(batches).to.deep.equal([['a', 'b'], ['c']])
  })

  it('that could not be written are tried again a second later, together with new ones, without losing any', async () => {
    const { clock, batches, logs, deliveries } = parts(1)
    deliveries.mark('acc', 'a')
    clock.advance(10)
    await settle()
    deliveries.mark('acc', 'b')
    clock.advance(900)
    await settle()
    expect(batches, 'no hot loop').to.deep.equal([['a']])
    clock.advance(100)
    await settle()
    expect(batches).to.deep.equal([['a'], ['a', 'b']])
    expect(logs).to.deep.equal(['delivery marks could not be written yet', 'delivery marks are written again'])
  })

  it('gather while a batch is being written: a slow store gets one larger batch, not a queue', async () => {
    const { clock, batches, deliveries, finish } = parts(0, true)
    for (const ref of ['a', 'b', 'c', 'd']) {
      deliveries.mark('acc', ref)
      clock.advance(10)
      await settle()
    }
    expect(batches).to.deep.equal([['a']])
    finish()
    await settle()
    clock.advance(10)
    await settle()
    expect(batches).to.deep.equal([['a'], ['b', 'c', 'd']])
    finish()
  })

  it('on a shared store wait for a quarter of a second or for sixteen of them, whichever comes first', async () => {
    const { clock, batches, deliveries } = parts(0, false, SHARED_STORE_BATCH)
    deliveries.mark('acc', 'first')
    clock.advance(249)
    await settle()
    expect(batches).to.deep.equal([])
    clock.advance(1)
    await settle()
    expect(batches).to.deep.equal([['first']])
    for (let count = 0; count < 16; count++) deliveries.mark('acc', `m${count}`)
    await settle()
    expect(batches[1]).to.have.length(16)
    expect(deliveries.size).to.equal(0)
  })

  it('are written again and again while the store is away, the same work each time, and no more than 100,000 wait', async () => {
    const { clock, batches, logs, deliveries } = parts(Infinity)
    for (let count = 0; count < 100_500; count++) deliveries.mark(`acc ${count}`, `m${count}`)
    expect([deliveries.size, deliveries.dropped]).to.deep.equal([100_000, 500])
    for (let second = 0; second < 20; second++) {
      clock.advance(1_000)
      await settle()
      deliveries.mark('acc', `second ${second}`)
    }
    expect(batches).to.have.length(20)
    expect(Math.max(...batches.map((batch) => batch.length))).to.equal(2_000)
    expect(deliveries.size).to.equal(100_000)
    expect(logs, 'said once').to.deep.equal(['delivery marks could not be written yet'])
  })

  it('that wait are all written by a flush, and one that fails does not keep it', async () => {
    const { batches, deliveries } = parts()
    for (let count = 0; count < 4_500; count++) deliveries.mark('acc', `m${count}`)
    await deliveries.flush()
    expect(batches.map((batch) => batch.length)).to.deep.equal([2_000, 2_000, 500])
    const away = parts(Infinity)
    away.deliveries.mark('acc', 'a')
    await away.deliveries.close()
    expect([away.batches.length, away.deliveries.size]).to.deep.equal([1, 1])
    away.clock.advance(60_000)
    await settle()
    expect(away.batches, 'nothing is tried after the close').to.have.length(1)
  })

  it('are written at once by a flush, and a flush of nothing is nothing', async () => {
    const { batches, deliveries } = parts()
    deliveries.mark('acc', 'a')
    await deliveries.flush()
    await deliveries.flush()
    expect(batches).to.deep.equal([['a']])
  })
})

describe('the publish timer', () => {
  function parts(publish: () => Promise<void>, random = 0.5) {
    const clock = new HandClock()
    const calls: { instance: string; now: number }[] = []
    const logs: string[] = []
    const ledger = { publish: (request: (typeof calls)[number]) => (calls.push(request), publish()) }
    const timer = new PublishTimer(ledger, clock, {
      instance: 'gw',
      log: (_level, message) => void logs.push(message),
      random: () => random,
    })
    const wait = async (ms: number): Promise<void> => {
      clock.advance(ms)
      await settle()
    }
    return { clock, calls, logs, timer, wait }
  }

  it('publishes after half a second to a second, by chance, again and again', async () => {
    for (const [random, ms] of [
      [0, 500],
      [1, 1_000],
    ] as const) {
      const { clock, calls, timer, wait } = parts(() => Promise.resolve(), random)
      const begin = clock.now()
      timer.start()
      await wait(ms - 1)
      expect(calls).to.deep.equal([])
      await wait(1)
      await wait(ms)
      expect(calls).to.deep.equal([
        { instance: 'gw', now: begin + ms },
        { instance: 'gw', now: begin + 2 * ms },
      ])
    }
  })

  it('has one round under way at a time, and logs a failure once until it is over', async () => {
    let outcome: () => Promise<void> = () => new Promise(() => undefined)
    const slow = parts(() => outcome())
    slow.timer.start()
    for (let round = 0; round < 5; round++) await slow.wait(1_000)
    expect(slow.calls).to.have.length(1)
    outcome = () => Promise.reject(new Error('away'))
    const { calls, logs, timer, wait } = parts(() => outcome())
    timer.start()
    for (let round = 0; round < 3; round++) await wait(1_000)
    outcome = () => Promise.resolve()
    for (let round = 0; round < 3; round++) await wait(1_000)
    expect(calls).to.have.length(6)
    expect(logs).to.deep.equal(['entries could not be published yet', 'entries are published again'])
  })

  it('publishes a last time when it is closed; does nothing on a store without publishing', async () => {
    const { calls, timer, wait } = parts(() => Promise.resolve())
    timer.start()
    await timer.close()
    expect(calls).to.have.length(1)
    await wait(5_000)
    expect(calls).to.have.length(1)
    const none = new PublishTimer({}, new HandClock(), { instance: 'gw', log: () => undefined })
    none.start()
    await none.close()
  })
})
