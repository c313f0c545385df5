import { expect } from 'chai'
import { statSync } from 'node:fs'
import { LogWatch } from '../../core/store/log-watch.js'
import { HandClock } from '../support/outbound.js'
import { furnish, temporaryStore } from '../support/store.js'

const MIB = 1024 * 1024

describe("the write-ahead log of the embedded ledger's file", () => {
  it('is as large as the file beside it', async () => {
    const { store, file, end } = await temporaryStore()
    await furnish(store)
    expect(store.logBytes?.())
      .to.equal(statSync(`${file}-wal`).size)
      .and.be.greaterThan(0)
    await end()
  })

  it('is warned of when it has grown, once for each doubling, and said to be small again', () => {
    const clock = new HandClock()
    const lines: string[] = []
    let bytes = 0
    const watch = new LogWatch({ logBytes: () => bytes }, clock, (event, message) => lines.push(`${event}: ${message}`))
    watch.start()
    for (const mib of [64, 255, 256, 300, 511, 1100, 1200, 64, 64, 256]) {
      bytes = mib * MIB
      clock.advance(10_000)
    }
    const grown = (mib: number) => `ledger-log-large: the ledger's write-ahead log has grown to ${mib} MiB beside its file`
    expect(lines).to.deep.equal([grown(256), grown(1100), "ledger-log-small: the ledger's write-ahead log is small again", grown(256)])
    watch.close()
    bytes = 9000 * MIB
    clock.advance(60_000)
    expect(lines).to.have.length(4)
  })

  it('may be out of sight: that is said once, and again when it was seen meanwhile', () => {
    const clock = new HandClock()
    const lines: string[] = []
    let broken = true
    const logBytes = () => {
      if (broken) throw new Error('EIO')
      return MIB
    }
    const watch = new LogWatch({ logBytes }, clock, (event, message) => lines.push(`${event}: ${message}`))
    watch.start()
    clock.advance(10_000)
    clock.advance(10_000)
    expect(watch.bytes).to.be.NaN
    broken = false
    expect(watch.bytes).to.equal(MIB)
    broken = true
    clock.advance(10_000)
    expect(lines).to.deep.equal(Array(2).fill("ledger-log-unreadable: the size of the ledger's write-ahead log cannot be read"))
    watch.close()
  })

  it('is not searched for where a server keeps the ledger', () => {
    const clock = new HandClock()
    const watch = new LogWatch({}, clock, () => expect.fail('nothing was to be said'))
    watch.start()
    clock.advance(60_000)
    watch.close()
  })
})
