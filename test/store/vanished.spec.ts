import { expect } from 'chai'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workerThread, type Thread } from '../../core/store/sqlite/threads.js'
import { StoreUnavailable } from '../../core/store/types.js'
import { TemporaryFolder } from '../support/store.js'
import { errorOf } from '../support/unit.js'

describe('a ledger whose file vanishes under the running gateway', () => {
  let outside: TemporaryFolder
  let file: string
  let now: number
  let thread: Thread
  beforeEach(async () => {
    outside = new TemporaryFolder()
    mkdirSync(join(outside.path, 'data'))
    file = join(outside.path, 'data', 'ledger.db')
    now = 0
    thread = await workerThread({ file, busyMs: 100, reserveBytes: 0 }, undefined, () => now)
    await thread.queue.call('settingPut', 'a', '1')
  })
  afterEach(async () => {
    await thread.close()
    outside.remove()
  })
  const put = async (): Promise<StoreUnavailable> => {
    const error = await errorOf(thread.queue.call('settingPut', 'a', '2'))
    if (error instanceof StoreUnavailable) return error
    throw error
  }

  it('acknowledges nothing any more, says why, and starts its thread again after pauses that grow to 30 s', async () => {
    rmSync(dirname(file), { recursive: true })
    expect((await put()).message).to.contain(`the ledger ${file} was removed or replaced`)
    const starts: number[] = []
    for (; now < 200_000; now += 100) {
      const error = await put()
      expect(error.message).to.contain(`the ledger ${file} was removed or replaced`)
      expect(error.sent, 'nothing was carried out').to.equal(false)
      if (!error.message.includes('not started again yet')) starts.push(now)
    }
    const pauses = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000])
  })

  for (const [what, make] of [
    ['without it', () => mkdirSync(dirname(file))],
    ['with an empty file', () => (mkdirSync(dirname(file)), writeFileSync(file, ''))],
  ] as const)
    it(`makes no new ledger when the folder comes back ${what}`, async () => {
      renameSync(dirname(file), join(outside.path, 'away'))
      await put()
      make()
      const there = existsSync(file)
      now += 60_000
      expect((await put()).message)
        .to.contain('was removed or replaced')
        .and.contain('restore a backup')
      expect(existsSync(file)).to.equal(there)
    })

  it('goes on where it was once the folder is back', async () => {
    renameSync(dirname(file), join(outside.path, 'away'))
    for (let round = 0; round < 4; round++) await put()
    renameSync(join(outside.path, 'away'), dirname(file))
    now += 60_000
    expect(await thread.queue.call('settingGet', 'a')).to.equal('1')
    await thread.queue.call('settingPut', 'a', '3')
    expect(await thread.queue.call('settingGet', 'a')).to.equal('3')
  })
})
