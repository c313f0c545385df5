import { expect } from 'chai'
import fc from 'fast-check'
import sinon from 'sinon'
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
  /** Two callers have requested places; one of them holds two places and waits for a third. */
  const twoHeldByOne = async (semaphore: Semaphore) => {
    const order: string[] = []
    const take = taking(semaphore, order)
    const first = await take('b1', by('b'))
    first()
    const held = await Promise.all([take('a1', by('a')), take('a2', by('a'))])
    const third = take('a3', by('a'))
    await settle()
    expect(order).to.deep.equal(['b1', 'a1', 'a2'])
    return { order, take, held, third }
  }
  /** Places whose runs have lasted so long until now. */
  const lasting = async (size: number, ms: number, runs = 100): Promise<Semaphore> => {
    const semaphore = new Semaphore(clock, size)
    for (let run = 0; run < runs; run++) {
      const release = await semaphore.take(by('a'))
      clock.advance(ms)
      release()
    }
    return semaphore
  }

  it('is given in order to the work of one caller; a place given back twice is one place', async () => {
    const semaphore = new Semaphore(clock, 1)
    const order: string[] = []
    const take = taking(semaphore, order)
    const first = await take('1', by('a'))
    const second = take('2', by('a'))
    const third = take('3', by('a'))
    first()
    first()
    const release = await second
    await settle()
    expect(order).to.deep.equal(['1', '2'])
    release()
    await third
    expect(order).to.deep.equal(['1', '2', '3'])
  })

  it('goes round the callers: whoever sends much waits for whoever sends little', async () => {
    const semaphore = await lasting(1, 1)
    const order: string[] = []
    const take = taking(semaphore, order)
    const first = await take('first', by('a'))
    const work = [
      ...[1, 2, 3, 4].map((number) => take(`a${number}`, by('a'))),
      ...[1, 2].map((number) => take(`b${number}`, by('b'))),
      take('c1', by('c')),
    ]
    first()
    for (const each of work) void each.then((release) => release())
    await Promise.all(work)
    expect(order).to.deep.equal(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('is refused at once when the places ahead, at the median of the last runs, take longer than the patience', async () => {
    const semaphore = await lasting(2, 4_000)
    const order: string[] = []
    const take = taking(semaphore, order)
    await take('1', by('a'))
    await take('2', by('a'))
    // Ahead: none, one, two ... each 4 s on two places.
    const waiting = [1, 2, 3].map((number) => take(`w${number}`, by('a', { patience: 5_000 })))
    const refused = await refusal(take('w4', by('a', { patience: 5_000 })))
    expect(refused).to.include({ reason: 'full', retryAfterSeconds: 6 })
    expect(await Promise.race([take('b', by('b', { patience: 5_000 })).catch(() => 'refused'), settle().then(() => 'waits')])).to.equal(
      'waits',
    )
    expect(await Promise.race([take('w4', by('a', { patience: 30_000 })).catch(() => 'refused'), settle().then(() => 'waits')])).to.equal(
      'waits',
    )
    void waiting
  })

  it('is refused when that is more than half of the time that is left', async () => {
    const semaphore = await lasting(1, 4_000)
    await semaphore.take(by('a'))
    void semaphore.take(by('a'))
    expect(await refusal(semaphore.take(by('a', { ms: 7_900 })))).to.include({ reason: 'full' })
    expect(await Promise.race([semaphore.take(by('a', { ms: 8_100 })).catch(() => 'refused'), settle().then(() => 'waits')])).to.equal(
      'waits',
    )
  })

  it('takes the last hundred runs for what is usual', async () => {
    const semaphore = await lasting(1, 60_000)
    for (let run = 0; run < 51; run++) {
      const release = await semaphore.take(by('a'))
      clock.advance(10)
      release()
    }
    await semaphore.take(by('a'))
    const waiting = Array.from({ length: 50 }, () => semaphore.take(by('a', { patience: 1_000 })).catch((error: unknown) => error))
    expect(await Promise.race([...waiting, settle().then(() => 'all wait')])).to.equal('all wait')
  })

  it('is not waited for longer than the patience, and who is stopped leaves the queue', async () => {
    const semaphore = new Semaphore(clock, 1)
    const release = await semaphore.take(by('a'))
    const late = refusal(semaphore.take(by('a', { patience: 5_000 })))
    const stopped = by('b')
    const gone = refusal(semaphore.take(stopped))
    stopped.cancel('client-gone')
    expect((await gone).reason).to.equal('client-gone')
    expect((await refusal(semaphore.take(stopped))).reason).to.equal('client-gone')
    clock.advance(5_000)
    expect((await late).reason).to.equal('late')
    release()
    expect(semaphore.idle).to.equal(true)
  })

  it('is refused when what waits would hold too much memory, of all and of one caller', async () => {
    const semaphore = new Semaphore(clock, 1, { mostBytes: 100 })
    const release = await semaphore.take(by('a'), 1_000)
    expect(await refusal(semaphore.take(by('a'), 51))).to.include({ reason: 'full' })
    const waiting = [semaphore.take(by('a'), 50), semaphore.take(by('b'), 40)]
    expect(await refusal(semaphore.take(by('a'), 1))).to.include({ reason: 'full' })
    expect(await refusal(semaphore.take(by('c'), 11))).to.include({ reason: 'full' })
    waiting.push(semaphore.take(by('c'), 10))
    release()
    for (const each of waiting) (await each)()
    expect(semaphore.idle).to.equal(true)
  })

  it('is kept, the last one, for who holds less than half, as long as several callers wait', async () => {
    const { order, take, held, third } = await twoHeldByOne(new Semaphore(clock, 3))
    const second = await take('b2', by('b'))
    second()
    await settle()
    expect(order).to.deep.equal(['b1', 'a1', 'a2', 'b2'])
    held[0]()
    await third
    expect(order).to.deep.equal(['b1', 'a1', 'a2', 'b2', 'a3'])
  })

  it('is not given to who has as many as one caller may, as long as several callers wait', async () => {
    const { held, third } = await twoHeldByOne(new Semaphore(clock, 6, { mostOfOne: 2 }))
    held[0]()
    await third
    const alone = new Semaphore(clock, 6, { mostOfOne: 2 })
    await Promise.all(Array.from({ length: 6 }, () => alone.take(by('a'))))
  })

  it('is given to one caller, also the last, when no other has requested one for a minute', async () => {
    const semaphore = new Semaphore(clock, 2)
    const order: string[] = []
    const take = taking(semaphore, order)
    const first = await take('b1', by('b'))
    first()
    await take('a1', by('a'))
    void take('a2', by('a', { patience: 120_000 }))
    clock.advance(59_000)
    await settle()
    expect(order).to.deep.equal(['b1', 'a1'])
    clock.advance(1_000)
    void take('a3', by('a', { patience: 120_000 }))
    await settle()
    expect(order).to.deep.equal(['b1', 'a1', 'a2'])
  })

  it('whatever is taken, given back and stopped: never too many at once, none lost, and a place is free beside who waits only if it is kept', async () => {
    const step = fc.record({
      does: fc.constantFrom('take', 'take', 'give', 'stop', 'time'),
      which: fc.nat(20),
      caller: fc.constantFrom('a', 'b', 'c'),
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), async (size, steps) => {
        const semaphore = new Semaphore(clock, size)
        const held: { readonly caller: string; readonly release: () => void }[] = []
        const waiting = new Set<Cancel>()
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
          if (waiting.size > 0) expect(held.length).to.be.at.least(Math.max(1, size - 1))
          if (held.length < size)
            for (const { caller: waits } of waiting) expect(2 * held.filter((place) => place.caller === waits).length).to.be.at.least(size)
        }
        for (const cancel of waiting) cancel.cancel('shutdown')
        await settle(1)
        for (const { release } of held) release()
        expect(semaphore.idle).to.equal(true)
      }),
      { numRuns: 60 },
    )
  })

  it('reports the position in the queue to those with a listener: at once, and as it changes at most twice a second', async () => {
    const semaphore = await lasting(1, 1)
    const positions: [string, number][] = []
    const first = await semaphore.take(by('a'))
    const wait = (name: string, cancel: Cancel) => semaphore.take(cancel, 0, (position) => positions.push([name, position]))
    const leaver = by('a')
    const gone = wait('a1', leaver).catch(() => undefined)
    const [a2, b1] = [wait('a2', by('a')), wait('b1', by('b'))]
    expect(positions.splice(0)).to.deep.equal([
      ['a1', 1],
      ['a2', 2],
      ['b1', 2],
    ])
    clock.advance(499)
    expect(positions).to.deep.equal([])
    clock.advance(1)
    expect(positions.splice(0)).to.deep.equal([['a2', 3]])
    leaver.cancel('client-gone')
    await gone
    clock.advance(500)
    // The caller had the first turn, and has it with what is left.
    expect(positions.splice(0)).to.deep.equal([['a2', 1]])
    first()
    ;(await a2)()
    ;(await b1)()
    clock.advance(1_000)
    expect(positions).to.deep.equal([])
    // Without waiters that have a listener the queue is not checked.
    const after = sinon.spy(clock, 'after')
    const last = await semaphore.take(by('a'))
    const next = semaphore.take(by('a'))
    last()
    ;(await next)()
    expect(after.getCalls().map(({ args }) => args[0])).to.deep.equal([30_000])
  })

  it('reports positions in the order of service, whoever waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 }), async (callers) => {
        const semaphore = await lasting(1, 1)
        const first = await semaphore.take(by('x'))
        const places = new Map<number, number>()
        const served: number[] = []
        const work = callers.map((caller, index) =>
          semaphore
            .take(by(caller), 0, (position) => places.set(index, position))
            .then((release) => {
              served.push(index)
              release()
            }),
        )
        clock.advance(500)
        first()
        await Promise.all(work)
        const line = [...places].toSorted(([, one], [, other]) => one - other)
        expect(line.map(([, position]) => position)).to.deep.equal(callers.map((_, index) => index + 1))
        expect(line.map(([index]) => index)).to.deep.equal(served)
      }),
    )
  })

  it('loses no place to a listener that throws, or stops its work', async () => {
    const semaphore = await lasting(1, 1)
    const first = await semaphore.take(by('a'))
    const error = await errorOf(
      semaphore.take(by('a'), 0, () => {
        throw new Error('mine')
      }),
    )
    expect(error.message).to.equal('mine')
    const stopped = by('a')
    expect((await refusal(semaphore.take(stopped, 0, () => stopped.cancel('client-gone')))).reason).to.equal('client-gone')
    const next = semaphore.take(by('a'))
    first()
    ;(await next)()
    expect(semaphore.idle).to.equal(true)
  })

  it('says beforehand whether it would refuse at once, and takes nothing for that', async () => {
    const semaphore = await lasting(1, 20_000)
    const release = await semaphore.take(by('a'))
    semaphore.assertOpen(by('a'))
    const waiting = semaphore.take(by('a'))
    semaphore.assertOpen(by('a'))
    const second = semaphore.take(by('a'))
    expect(() => semaphore.assertOpen(by('a')))
      .to.throw(NoPlace)
      .with.property('reason', 'full')
    expect((await refusal(semaphore.take(by('a')))).reason).to.equal('full')
    release()
    ;(await waiting)()
    ;(await second)()
    expect(semaphore.idle).to.equal(true)
  })
})
