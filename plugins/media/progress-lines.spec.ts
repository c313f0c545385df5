import { expect } from 'chai'
import { progressLines, type ProgressLines } from './progress-lines.js'

type Shown = [step: string, detail: string | undefined, done: number | undefined, total: number | undefined]

/** The reports for lines that arrive so many milliseconds apart. */
function shown(lines: readonly string[], about: ProgressLines, everyMs = 1_000): Shown[] {
  const all: Shown[] = []
  let left = 60_000
  const tell = progressLines({ progress: (...step) => void all.push(step as unknown as Shown), timeLeft: () => left }, about)
  for (const line of lines) {
    tell(line)
    left = Math.max(0, left - everyMs)
  }
  return all
}

describe('lines that tell progress', () => {
  // https://ffmpeg.org/ffmpeg.html, -progress: blocks of key=value.
  const ffmpeg = { step: 'converting', detail: 'mp3', line: /^out_time_us=(?<done>\d+)$/, scale: 1e-6 }
  const block = (us: string, end = false) => [
    'frame=10',
    'bitrate=  64.0kbits/s',
    `out_time_us=${us}`,
    `progress=${end ? 'end' : 'continue'}`,
  ]

  it('of ffmpeg are seconds of the whole', () => {
    const lines = [...block('N/A'), ...block('500000'), ...block('1500000'), ...block('3000000', true)]
    expect(shown(lines, { ...ffmpeg, total: 3 })).to.deep.equal([
      ['converting', 'mp3', 0.5, 3],
      ['converting', 'mp3', 1.5, 3],
      ['converting', 'mp3', 3, 3],
    ])
    for (const total of [null, Infinity, NaN, undefined])
      expect(shown(block('500000'), { ...ffmpeg, ...(total === undefined ? {} : { total }) })).to.deep.equal([
        ['converting', 'mp3', 0.5, undefined],
      ])
  })

  it('never tell more than the whole, and its end once', () => {
    expect(shown([...block('2900000'), ...block('3010000'), ...block('3020000', true)], { ...ffmpeg, total: 3 })).to.deep.equal([
      ['converting', 'mp3', 2.9, 3],
      ['converting', 'mp3', 3, 3],
    ])
  })

  it('of yt-dlp are percentages, also of two downloads after each other', () => {
    const line = /^\[download\]\s+(?<percent>[\d.]+)% of/
    const lines = [
      '[youtube] abc: Downloading webpage',
      '[download] Destination: film.f137.mp4',
      '[download]   0.0% of   10.00MiB at  Unknown B/s ETA Unknown',
      '[download]  52.3% of ~ 10.00MiB at    1.00MiB/s ETA 00:09 (frag 3/10)',
      '[download] 100% of   10.00MiB in 00:00:10 at 1.00MiB/s',
      '[download]  10.0% of    1.00MiB at    1.00MiB/s ETA 00:01',
      '[download] 100% of    1.00MiB in 00:00:01 at 1.00MiB/s',
    ]
    expect(shown(lines, { step: 'downloading', line }).map(([, , done, total]) => [done, total])).to.deep.equal([
      [0, 100],
      [52.3, 100],
      [100, 100],
      [10, 100],
      [100, 100],
    ])
  })

  it('may tell done and total themselves', () => {
    const lines = ['page 1/3', 'page 1/3', 'page 2/3', 'page x/3', 'page 3/3']
    expect(
      shown(lines, { step: 'reading', line: /^page (?<done>\d+)\/(?<total>\d+)$/ }).map(([, , done, total]) => [done, total]),
    ).to.deep.equal([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  it('that come often are shown twice a second, and the end always', () => {
    const lines = Array.from({ length: 101 }, (_, percent) => `${percent}%`)
    const every = shown(lines, { step: 'x', line: /^(?<percent>\d+)%$/ }, 20).map(([, , done]) => done)
    expect(every).to.deep.equal([0, 25, 50, 75, 100])
    expect(shown(lines, { step: 'x', line: /^(?<percent>\d+)%$/ }, 0).map(([, , done]) => done)).to.deep.equal([0, 100])
  })

  it('say nothing when they hold no figures', () => {
    const lines = ['', 'done', 'done -1', 'done NaN', 'done 1e999', 'done ', 'done 0x']
    expect(shown(lines, { step: 'x', line: /^done(?: (?<done>.*))?$/ })).to.deep.equal([])
  })
})
