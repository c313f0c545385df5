import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { ownTimes } from '../../core/exec/work-time.js'
import { skip } from '../../test/support/needs.js'
import { until } from '../../test/support/time.js'
import { usageOf } from './usage.js'

const LOOKS = 100

describe('plugins/browser: what the processes of a browser use', () => {
  let tree: ChildProcess | null = null
  afterEach(async () => {
    if (tree?.pid === undefined) return
    const ended = once(tree, 'exit')
    process.kill(-tree.pid, 'SIGKILL')
    await ended
    tree = null
  })
  /** A shell in its own process group, which reports when all its children have started. */
  const started = async (script: string): Promise<number> => {
    tree = spawn('/bin/sh', ['-c', `${script}; echo there; wait`], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    if (tree.stdout !== null) await once(tree.stdout, 'data')
    return tree.pid ?? 0
  }

  it('is the time of the main process with all below it, and null when it is gone', async () => {
    const pid = await started('sh -c \'sh -c "while :; do :; done" & wait\' & :')
    await until(() => (usageOf(pid)?.gotMs ?? 0) >= 100)
    process.kill(-pid, 'SIGKILL')
    if (tree !== null) await once(tree, 'exit')
    tree = null
    expect(usageOf(pid)).to.equal(null)
  })

  it('costs the event loop at most 2 ms of processor time a look at 20 processes', async function () {
    const pid = await started(`${'sleep 60 & '.repeat(20)} :`)
    const used = (): number => ownTimes()?.usedMs ?? skip(this, 'the system does not tell processor times of threads')
    const before = used()
    for (let look = 0; look < LOOKS; look++) usageOf(pid)
    expect((used() - before) / LOOKS).to.be.at.most(2)
  })
})
