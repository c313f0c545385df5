import { expect } from 'chai'
import fc from 'fast-check'
import { Cancel } from '../../../core/runtime/cancel.js'
import { NoPlace, Semaphore } from '../../../core/runtime/semaphore.js'
import { HandClock } from '../../support/outbound.js'
import { errorOf, settle } from '../../support/unit.js'

describe('a bounded number of places', () => {
  let clock: HandClock
  beforeEach(() => {
    clock = new HandClock()
  })
  const by = (caller: string, { ms = 600_000, patience = 30_000 } = {}) => new Cancel(clock, clock.monotonic() + ms, caller, patience)
  /** Takes a place, and notes when it is given. */
  const taking = (semaphore: Semaphore, order: string[]) => (name: string, cancel: Cancel) =>
    semaphore.take(cancel).then((release) => (order.push(name), release))
  const refusal = async (work: Promise<unknown>): Promise<NoPlace> => {
    const error = await errorOf(work)
    if (!(error instanceof NoPlace)) throw error
    return error
  }

  describe('A8 of which one is kept', () => {
    it('is never given, the last one, to who holds one, however long no other caller wanted one', async () => {
      const semaphore = new Semaphore(clock, 3, { keepsOne: true })
      const order: string[] = []
      const take = taking(semaphore, order)
      const held = [await take('a1', by('a')), await take('a2', by('a'))]
      clock.advance(86_400_000)
      void take('a3', by('a'))
      await settle()
      expect(order).to.deep.equal(['a1', 'a2'])
      const other = await take('b1', by('b'))
      void take('b2', by('b'))
      other()
      await settle()
      expect(order).to.deep.equal(['a1', 'a2', 'b1', 'b2'])
      held[0]?.()
      await settle()
      expect(order, 'the place that is free is kept for a third').to.deep.equal(['a1', 'a2', 'b1', 'b2'])
      await take('c1', by('c'))
    })

    it('is reckoned without it: a lone caller whose wait is too long for the others is refused', async () => {
      const semaphore = new Semaphore(clock, 2, { keepsOne: true, unknownRunMs: 4_000 })
      await semaphore.take(by('a'))
      void semaphore.take(by('a', { patience: 5_000 })).catch(() => undefined)
      void semaphore.take(by('a', { patience: 5_000 })).catch(() => undefined)
      expect(await refusal(semaphore.take(by('a', { patience: 5_000 })))).to.include({ reason: 'full', retryAfterSeconds: 8 })
    })

    it('cannot be kept where there is one place alone', async () => {
      const semaphore = new Semaphore(clock, 1, { keepsOne: true })
      ;(await semaphore.take(by('a')))()
      ;(await semaphore.take(by('b')))()
      expect(semaphore.idle).to.equal(true)
    })

    it('whatever is taken, given back and stopped: whoever holds none waits only while all are taken, and nobody has all', async () => {
      const step = fc.record({
        does: fc.constantFrom('take', 'take', 'give', 'stop', 'time'),
        which: fc.nat(20),
        caller: fc.constantFrom('a', 'b', 'c', 'd'),
      })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 4 }), fc.array(step, { maxLength: 60 }), async (size, steps) => {
          const semaphore = new Semaphore(clock, size, { keepsOne: true })
          const held: { readonly caller: string; readonly release: () => void }[] = []
          const waiting = new Set<Cancel>()
          const has = (caller: string): number => held.filter((place) => place.caller === caller).length
          for (const { does, which, caller } of steps) {
            if (does === 'take') {
              const cancel = by(caller)
              waiting.add(cancel)
              void semaphore
                .take(cancel)
                .then(
                  (release) => held.push({ caller, release }),
                  () => undefined,
                )
                .finally(() => waiting.delete(cancel))
            }
            if (does === 'give') held.splice(which % Math.max(1, held.length), 1)[0]?.release()
            if (does === 'stop') [...waiting][which]?.cancel('client-gone')
            if (does === 'time') clock.advance(which * 500)
            await settle(1)
            expect(held.length).to.be.at.most(size)
            for (const each of ['a', 'b', 'c', 'd']) expect(has(each)).to.be.below(size)
            for (const { caller: waits } of waiting)
              if (has(waits) === 0) expect(held.length).to.equal(size)
              else expect(held.length).to.be.at.least(size - 1)
          }
          for (const cancel of waiting) cancel.cancel('shutdown')
          await settle(1)
          for (const { release } of held) release()
          expect(semaphore.idle).to.equal(true)
        }),
        { numRuns: 60 },
      )
    })
  })

  describe('A8 held by work that gives it up', () => {
    const held = async (semaphore: Semaphore, caller: string, gives = true) => {
      const state = { requested: 0, release: () => undefined as void }
      const end = (): boolean => {
        state.requested++
        return gives
      }
      state.release = await semaphore.take(by(caller), 0, undefined, { afterMs: 20_000, end })
      return state
    }

    it('is requested when it was held long enough and a caller without one waits: whichever comes last', async () => {
      const semaphore = new Semaphore(clock, 1)
      const early = await held(semaphore, 'a')
      void semaphore.take(by('b')).catch(() => undefined)
      clock.advance(19_999)
      expect(early.requested).to.equal(0)
      clock.advance(1)
      expect(early.requested).to.equal(1)
      const other = new Semaphore(clock, 1)
      const late = await held(other, 'a')
      clock.advance(60_000)
      expect(late.requested).to.equal(0)
      void other.take(by('b')).catch(() => undefined)
      expect(late.requested).to.equal(1)
      void other.take(by('b')).catch(() => undefined)
      clock.advance(1_000)
      expect(late.requested, 'once it was ended it is not requested again').to.equal(1)
    })

    it('is not requested for its own caller, nor by one that has a place, nor after it was given back', async () => {
      const semaphore = new Semaphore(clock, 2)
      const [first, second] = [await held(semaphore, 'a'), await held(semaphore, 'b')]
      clock.advance(20_000)
      for (const caller of ['a', 'b']) void semaphore.take(by(caller)).catch(() => undefined)
      expect([first.requested, second.requested]).to.eql([0, 0])
      first.release()
      await settle()
      void semaphore.take(by('c')).catch(() => undefined)
      expect([first.requested, second.requested]).to.eql([0, 1])
    })

    it('is requested from as many holders as callers wait, the longest first, and from the next where one keeps it', async () => {
      const semaphore = new Semaphore(clock, 3)
      const all = [await held(semaphore, 'a', false), await held(semaphore, 'a'), await held(semaphore, 'b')]
      clock.advance(20_000)
      void semaphore.take(by('c')).catch(() => undefined)
      expect(all.map(({ requested }) => requested)).to.eql([1, 1, 0])
      void semaphore.take(by('d')).catch(() => undefined)
      expect(all.map(({ requested }) => requested)).to.eql([2, 1, 1])
    })
  })
})
