import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { packageRoot } from '../../../core/runtime/root.js'

const PROGRAM = `
  import { getHeapStatistics } from 'node:v8'
  import { Worker } from 'node:worker_threads'
  import { letThreadsHaveOwnLimits } from '${new URL('../../../core/runtime/threads.js', import.meta.url).href}'
  const mib = () => getHeapStatistics().heap_size_limit / 1024 / 1024
  const before = mib()
  letThreadsHaveOwnLimits()
  const fill = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))'
  const worker = new Worker(fill, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 } })
  worker.once('error', ({ code }) => console.log(JSON.stringify({ code, before, after: mib() })))
`

/** Receives 360 pages of 2.8 MB in chunks, beside a heap of a gateway's size, and says how often the whole heap was collected. */
const PAGES = `
  import { PerformanceObserver } from 'node:perf_hooks'
  import { limitHeapGrowth } from '${new URL('../../../core/runtime/threads.js', import.meta.url).href}'
  import { JoinedBody } from '${new URL('../../../core/outbound/reply-body.js', import.meta.url).href}'
  limitHeapGrowth()
  const kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  globalThis.gc()
  let collections = 0
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === 4) collections += 1
  })
  observer.observe({ entryTypes: ['gc'] })
  for (let page = 0; page < 360; page++) {
    const body = new JoinedBody(45 * 65_536)
    for (let chunk = 0; chunk < 45; chunk++) body.add(Buffer.allocUnsafeSlow(65_536))
    body.bytes()
    await new Promise(setImmediate)
  }
  setTimeout(() => console.log(JSON.stringify({ collections, kept: kept.length })), 50)
`

describe('core/runtime/own-limits', () => {
  it('pages that arrive do not have the whole heap collected again and again, with the flags of npm start', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...startFlags(), '--expose-gc', '--input-type=module', '-e', PAGES])
    const found = JSON.parse(stdout) as { collections: number }
    // 3 to 10, more on a busy machine; 18 where pages arrive in memory that V8 counts (`movable`).
    expect(found.collections).to.be.at.most(14)
  })

  it('a thread ends at its own limit with the flags of npm start, and the main thread keeps the one that they give', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...startFlags(), '--input-type=module', '-e', PROGRAM])
    const result = JSON.parse(stdout) as { code: string; before: number; after: number }
    expect(result.code).to.equal('ERR_WORKER_OUT_OF_MEMORY')
    expect(result.before).to.be.greaterThan(1_000)
    expect(result.after).to.equal(result.before)
  })
})

/** The flags of Node with which `npm start` starts the gateway. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}
