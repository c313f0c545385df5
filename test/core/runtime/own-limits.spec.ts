import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { packageRoot } from '../../../core/runtime/root.js'

const PROGRAM = `
  import { getHeapStatistics } from 'node:v8'
  import { Worker } from 'node:worker_threads'
  import { letThreadsHaveOwnLimits } from '${new URL('../../../core/runtime/own-limits.js', import.meta.url).href}'
  const mib = () => getHeapStatistics().heap_size_limit / 1024 / 1024
  const before = mib()
  letThreadsHaveOwnLimits()
  const fill = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))'
  const worker = new Worker(fill, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 } })
  worker.once('error', ({ code }) => console.log(JSON.stringify({ code, before, after: mib() })))
`

describe('core/runtime/own-limits', () => {
  it('a thread ends at its own limit with the flags of npm start, and the main thread keeps the one that they give', async () => {
    const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: { start: string } }
    const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'))
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM])
    const told = JSON.parse(stdout) as { code: string; before: number; after: number }
    expect(told.code).to.equal('ERR_WORKER_OUT_OF_MEMORY')
    expect(told.before).to.be.greaterThan(1_000)
    expect(told.after).to.equal(told.before)
  })
})
