import { expect } from 'chai'
import { Writable } from 'node:stream'
import { LogStream } from '../../../core/telemetry/log.js'
import { settle } from '../../support/unit.js'

const LINE = `${'x'.repeat(1023)}\n`

describe('the stream of the log', () => {
  it('drops and counts what cannot be written, and throws nothing', async () => {
    const stream = new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) })
    const log = new LogStream(stream)
    log.write(LINE + LINE, 2)
    await settle()
    expect(log.dropped).to.equal(2)
  })

  it('keeps at most a mebibyte for a reader that has stopped reading', () => {
    const held: (() => void)[] = []
    const stream = new Writable({ write: (_chunk, _encoding, done) => void held.push(done) })
    const log = new LogStream(stream)
    for (let count = 0; count < 3_000; count++) log.write(LINE, 1)
    expect(stream.writableLength).to.equal(1024 * 1024)
    expect(log.dropped).to.equal(3_000 - 1024)
  })
})
