import { expect } from 'chai'
import { Worker } from 'node:worker_threads'
import { ownTimes, usedTime, WorkTime } from '../../../core/exec/work-time.js'
import { skip } from '../../support/needs.js'

/** Says which thread it is, uses a processor until it has had `ms` of it, and says so. */
const BURNS = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData.module).then(({ ownTimes }) => {
    const first = ownTimes()
    while (ownTimes().usedMs < first.usedMs + workerData.ms);
    parentPort.postMessage(first)
    setInterval(() => undefined, 60_000)
  })`

describe('core/exec processor time of threads', function () {
  before(function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has the times of threads in /proc')
  })

  it('V7 that of another thread is its own and not that of the process', async () => {
    const module = new URL('../../../core/exec/work-time.js', import.meta.url).href
    const before = ownTimes()?.usedMs ?? 0
    const worker = new Worker(BURNS, { eval: true, workerData: { module, ms: 100 } })
    const first = await new Promise<NonNullable<ReturnType<typeof ownTimes>>>((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    )
    const used = (usedTime(first.thread) ?? 0) - first.usedMs
    expect(used).to.be.at.least(100)
    // This thread has waited meanwhile.
    expect((ownTimes()?.usedMs ?? 0) - before).to.be.lessThan(used)
    await worker.terminate()
    expect(usedTime(first.thread), 'after its end').to.equal(null)
  })

  it('V7 it is read right whatever the thread is called', () => {
    const title = process.title
    try {
      process.title = 'a) R 1 2 3 ('
      const own = ownTimes()
      expect(own?.thread).to.equal(process.pid)
      const { user, system } = process.cpuUsage()
      expect(own?.usedMs)
        .to.be.greaterThan(0)
        .and.at.most((user + system) / 1_000 + 20)
    } finally {
      process.title = title
    }
  })

  it('V7 waiting for events counts as time of the work, waiting for a processor does not', () => {
    let [now, used, idle] = [1_000, 50, 7]
    const loop = () => ({ idle, active: 0, utilization: 0 })
    const began = { thread: 1, usedMs: 50, idleMs: 7 }
    const time = new WorkTime({ now: () => now, began, loop, used: () => used })
    now += 400
    expect([time.elapsed(), time.own()]).to.deep.equal([400, 0])
    used += 30
    expect(time.own()).to.equal(30)
    idle += 200
    expect(time.own()).to.equal(230)
    used += 900
    expect(time.own(), 'never more than has passed').to.equal(400)
    for (const unknown of [
      { began: null, used: () => 60 },
      { began, used: () => null },
    ]) {
      const plain = new WorkTime({ now: () => now, loop, ...unknown })
      now += 250
      expect(plain.own()).to.equal(250)
    }
  })
})
