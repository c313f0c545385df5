import { expect } from 'chai'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchPriority, type PriorityOptions } from '../../../core/exec/lease.js'
import { groupProcessors, type GroupProcessors } from '../../../core/exec/cgroup.js'
import { ProcessorUse } from '../../../core/exec/host.js'
import { HandClock } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

describe('priority of a group of processes', () => {
  let clock: HandClock
  beforeEach(() => {
    clock = new HandClock()
  })

  /** A group that takes this part of a processor, and what becomes of it. */
  function group(options: Partial<PriorityOptions> = {}) {
    const calls = { background: [] as boolean[], readings: 0, used: 0, errors: [] as unknown[] }
    let total = 0
    const processors: GroupProcessors = {
      usedMs: () => {
        calls.readings += 1
        return Promise.resolve(total)
      },
      background: (on) => {
        calls.background.push(on)
        return Promise.resolve()
      },
    }
    const end = watchPriority(clock, processors, {
      begins: 'usual',
      onUsed: (ms) => (calls.used += ms),
      onError: (error) => calls.errors.push(error),
      ...options,
    })
    /** Takes `part` of a processor for so long. */
    const run = async (ms: number, part: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 50) {
        total += part * 50
        clock.advance(50)
        await settle(2)
      }
    }
    return { calls, run, end, processors }
  }

  it('goes to the background within a second of taking one processor, and comes back when it takes little', async () => {
    const { calls, run } = group()
    await run(1_000, 1)
    expect(calls.background).to.deep.equal([true])
    await run(2_500, 0)
    expect(calls.background).to.deep.equal([true, false])
  })

  it('stays as it is for a short job, and for one that takes a third of a processor', async () => {
    const short = group()
    await short.run(200, 1)
    await short.run(2_000, 0)
    const steady = group()
    await steady.run(20_000, 1 / 3)
    expect([short.calls.background, steady.calls.background]).to.deep.equal([[], []])
  })

  it('begins in the background where its option says so, leaves it when it takes little, and is there again when it does nothing', async () => {
    const { calls, run } = group({ begins: 'background' })
    await run(1_000, 0.4)
    expect(calls.background).to.deep.equal([true])
    await run(2_500, 0.02)
    expect(calls.background).to.deep.equal([true, false])
    await run(10_000, 0)
    expect(calls.background).to.deep.equal([true, false, true])
    const { readings } = calls
    await run(60_000, 0)
    expect(calls.readings - readings).to.be.at.most(16)
  })

  it('watched anew it leaves the background, and what it used before is not counted', async () => {
    const first = group()
    await first.run(3_000, 1)
    await first.end()
    const usedMs: number[] = []
    const again = watchPriority(clock, first.processors, {
      begins: 'usual',
      anew: true,
      onUsed: (ms) => usedMs.push(ms),
      onError: (error) => first.calls.errors.push(error),
    })
    await settle(3)
    await first.run(400, 0.5)
    await again()
    expect(first.calls.background).to.deep.equal([true, false])
    expect(usedMs.reduce((sum, ms) => sum + ms, 0)).to.equal(200)
    expect(first.calls.errors).to.deep.equal([])
  })

  it('comes back from the background when it gets no processor there, so that it always continues', async () => {
    const { calls, run } = group()
    await run(2_000, 2)
    await run(3_000, 0.01)
    expect(calls.background).to.deep.equal([true, false])
  })

  it('is read once a second while it does nothing, and not at all once it has ended', async () => {
    const { calls, run, end } = group()
    await run(10_000, 0)
    expect(calls.readings).to.be.within(9, 13)
    await end()
    const { readings } = calls
    await run(5_000, 1)
    expect(calls.readings).to.equal(readings)
  })

  it('reports all processor time, including that since the last reading', async () => {
    const { calls, run, end } = group()
    await run(1_125, 1)
    await end()
    expect(calls.used).to.be.closeTo(1_125, 51)
  })

  it('reports failures', async () => {
    const { calls, run, processors } = group()
    processors.usedMs = () => Promise.reject(new Error('EACCES'))
    await run(500, 1)
    expect(calls.errors.map(String)).to.deep.equal(['Error: EACCES'])
  })
})

describe('processors of a control group', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'capstan-cpu-'))))
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  const value = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

  it('version 2: time from cpu.stat, background by cpu.idle, and the usual weight afterwards', async () => {
    await write('cpu.stat', 'usage_usec 2500000\nuser_usec 1\n')
    await write('cpu.idle', '0')
    const processors = groupProcessors(2, folder)
    expect(await processors.usedMs()).to.equal(2_500)
    await processors.background(true)
    expect(await value('cpu.idle')).to.equal('1')
    await processors.background(false)
    expect([await value('cpu.idle'), await value('cpu.weight')]).to.deep.equal(['0', '25'])
  })

  it('version 1: time from the hierarchy that counts it', async () => {
    await write('cpuacct.usage', '1500000\n')
    expect(await groupProcessors(1, join(folder, 'cpu'), folder).usedMs()).to.equal(1.5)
  })

  it('a kernel without idle groups: the least weight', async () => {
    for (const [version, file, least, usual] of [
      [1, 'cpu.shares', '2', '256'],
      [2, 'cpu.weight', '1', '25'],
    ] as const) {
      const processors = groupProcessors(version, folder)
      await processors.background(true)
      expect(await value(file)).to.equal(least)
      await processors.background(false)
      expect(await value(file)).to.equal(usual)
    }
  })

  it('a group that is gone has used nothing more and is not missed', async () => {
    const processors = groupProcessors(2, join(folder, 'gone'))
    expect(await processors.usedMs()).to.equal(null)
    await processors.background(true)
  })
})

describe('processor time of accounts', () => {
  it('is much after three seconds of a whole processor, and no more some seconds later; of others it says nothing', () => {
    const clock = new HandClock()
    const use = new ProcessorUse(clock)
    for (let second = 0; second < 3; second++) {
      expect(use.isHeavy('a'), `after ${second} s`).to.equal(false)
      clock.advance(1_000)
      use.add('a', 1_200)
    }
    expect([use.isHeavy('a'), use.isHeavy('b')]).to.deep.equal([true, false])
    clock.advance(3_000)
    expect(use.isHeavy('a')).to.equal(false)
  })

  it('counts as much for some seconds once a program was ended for what it took, however often that happens', () => {
    const clock = new HandClock()
    const use = new ProcessorUse(clock)
    for (let count = 0; count < 30; count++) use.exceeded('a')
    expect([use.isHeavy('a'), use.isHeavy('b')]).to.deep.equal([true, false])
    clock.advance(2_000)
    expect(use.isHeavy('a')).to.equal(false)
  })

  it('of a third of a processor is never much', () => {
    const clock = new HandClock()
    const use = new ProcessorUse(clock)
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000)
      use.add('a', 333)
      expect(use.isHeavy('a')).to.equal(false)
    }
  })
})
