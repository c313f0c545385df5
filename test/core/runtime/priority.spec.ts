import { readdirSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { skip } from '../../support/needs.js'
import { until } from '../../support/time.js'

describe('core/runtime: priority', () => {
  for (const script of ['calls/encode-worker.js', 'http/large/worker.js', 'outbound/reply-worker.js'])
    it(`large bodies, replies and answers are worked on behind the event loop: ${script}`, async function () {
      if (process.platform !== 'linux') skip(this, 'only Linux has priorities of threads')
      const low = (): number =>
        readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) === constants.priority.PRIORITY_BELOW_NORMAL).length
      const before = low()
      const worker = new Worker(new URL(`../../../core/${script}`, import.meta.url))
      try {
        await until(() => low() > before)
        expect(getPriority(process.pid)).to.be.below(constants.priority.PRIORITY_BELOW_NORMAL)
      } finally {
        await worker.terminate()
      }
    })
})
