import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { stripVTControlCharacters } from 'node:util'
import type { Io } from '../../../scripts/capstan/cli/io.js'
import { Progress } from '../../../scripts/capstan/cli/progress.js'

describe('the progress line of a command', () => {
  let clock: SinonFakeTimers
  let written: string[]
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    written = []
  })
  afterEach(() => clock.restore())

  const progress = (more: Partial<Io> = {}): Progress => {
    const io = { env: {}, cwd: '/', tty: true, out: () => Promise.resolve(), err: (text: string) => void written.push(text), ...more }
    return new Progress(io)
  }
  const show = (shown: Progress, data: object): void => shown.show({ event: 'progress', data: JSON.stringify(data) })
  /** The line as it is seen now. */
  const line = (): string => stripVTControlCharacters(written.at(-1) ?? '').replace('\r', '')

  it('shows how long a call without progress has taken, each second, and is erased at the end', () => {
    const shown = progress()
    shown.begin('search')
    clock.tick(999)
    expect(written).to.deep.equal([])
    clock.tick(1)
    expect(line()).to.equal('search · 1 s')
    clock.tick(2_000)
    expect(line()).to.equal('search · 3 s')
    shown.clear()
    expect(written.at(-1)).to.equal('\r\u001b[K')
    clock.tick(5_000)
    expect(written.at(-1)).to.equal('\r\u001b[K')
  })

  it('shows the place in the queue, counts, percentages, and the words of a step', () => {
    const shown = progress()
    shown.begin('search')
    for (const [data, wanted] of [
      [
        { step: 'queued', detail: 'position 3 in the queue for media work', done: 0, total: 3 },
        'queued position 3 in the queue for media work',
      ],
      [{ step: 'reading', detail: 'a page', done: 1, total: 3 }, 'reading 1/3 a page'],
      [{ step: 'transcribing', done: 900, total: 3_600 }, 'transcribing 25 %'],
      [{ step: 'downloading', detail: '41 %, 2.0 MiB/s, 9 s left', done: 41_000, total: 100_000 }, 'downloading 41 %, 2.0 MiB/s, 9 s left'],
      [{ step: 'speaking', done: 7 }, 'speaking'],
      [{ step: 'converting', done: 0, total: 0 }, 'converting'],
    ] as const) {
      show(shown, data)
      expect(line()).to.equal(wanted)
    }
    clock.tick(4_000)
    expect(line()).to.equal('converting · 4 s')
    shown.clear()
  })

  it('shows how much of a file was sent, and how fast', () => {
    const shown = progress()
    shown.begin('uploading file_url')
    shown.bytes('uploading file_url', 500_000, 10_000_000)
    expect(line()).to.equal('uploading file_url 5 % of 10.0 MB')
    clock.tick(2_000)
    shown.bytes('uploading file_url', 5_000_000, 10_000_000)
    expect(line()).to.equal('uploading file_url 50 % of 10.0 MB, 2.5 MB/s · 2 s')
    shown.clear()
  })

  it('is no longer than the terminal is wide, and cannot drive it', () => {
    const shown = progress({ errColumns: 30 })
    shown.begin('search')
    show(shown, { step: 'reading', detail: `\u001b[2J${'世界'.repeat(30)}` })
    expect(line()).to.equal(`reading  [2J${'世界'.repeat(4)}…`)
    expect(written.join('')).not.to.contain('\u001b[2J')
    shown.clear()
  })

  it('has no colours with NO_COLOR, and is nothing where standard error is no terminal', () => {
    const plain = progress({ env: { NO_COLOR: '1' } })
    show(plain, { step: 'reading' })
    expect(written).to.deep.equal(['\r\u001b[Kreading'])
    written = []
    const piped = progress({ tty: false })
    piped.begin('search')
    show(piped, { step: 'reading' })
    piped.bytes('uploading', 1, 2)
    clock.tick(5_000)
    piped.clear()
    expect(written).to.deep.equal([])
  })
})
