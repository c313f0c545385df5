import { expect } from 'chai'
import { DiskWatch } from '../../../core/runtime/disk-watch.js'
import { logInto, type LogLine } from '../../support/log-lines.js'
import { HandClock } from '../../support/outbound.js'

describe('the watch over disks', () => {
  it('checks every ten seconds and on request, and reports the state of each disk', () => {
    const clock = new HandClock()
    const lines: LogLine[] = []
    let checks = 0
    let full = false
    const disk = {
      part: 'ledger',
      folder: '/data',
      free: () => (full ? 0 : 3 * 1024 * 1024),
      full: () => (checks++, full),
    } as const
    const watch = new DiskWatch([disk], clock, logInto(lines))
    watch.start()
    for (let round = 0; round < 2; round++) clock.advance(10_000)
    expect(checks).to.equal(3)
    expect(watch.check()).to.deep.equal([
      { part: 'ledger', folder: '/data', full: false, free: 3 * 1024 * 1024, detail: '3 MiB free in /data' },
    ])
    full = true
    expect(watch.check()[0]).to.deep.include({
      full: true,
      detail: '0 MiB free in /data; paid calls are refused until there is more',
    })
    expect(lines.at(-1)).to.deep.include({ level: 'error', event: 'disk-full', fields: { part: 'ledger', folder: '/data', free_bytes: 0 } })
    full = false
    watch.check()
    watch.check()
    expect(lines.map(({ event }) => event)).to.deep.equal(['disk-full', 'disk-free'])
    watch.close()
    clock.advance(20_000)
    expect(checks).to.equal(7)
  })

  it('checks at most once a second while calls fail, however many do', () => {
    const clock = new HandClock()
    let checks = 0
    const watch = new DiskWatch([{ part: 'files', folder: '/data', free: () => 1, full: () => (checks++, false) }], clock, () => undefined)
    for (let call = 0; call < 500; call++) watch.suspect()
    expect(checks).to.equal(1)
    clock.advance(1_000)
    for (let call = 0; call < 500; call++) watch.suspect()
    expect(checks).to.equal(2)
  })

  it('a folder that cannot be read is no full disk, and says so', () => {
    const free = (): number => {
      throw new Error('ENOENT')
    }
    const watch = new DiskWatch([{ part: 'files', folder: '/gone', free, full: () => free() < 1 }], new HandClock(), () => undefined)
    expect(watch.check()).to.deep.equal([
      { part: 'files', folder: '/gone', full: false, free: null, detail: '/gone cannot be read (Error: ENOENT)' },
    ])
  })
})
