import { expect } from 'chai'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remarksOn, runtimeOf } from '../_vendors/yt-dlp.js'
import { isAudio, videoDownload, type DownloadInput } from './contract.js'
import { metaOf } from './download/job.js'
import { mp4Language } from './download/languages.js'
import { firstWay, nextWay, selectionOf, type Way } from './download/plan.js'
import { downloadProgress } from './download/progress.js'
import { infoOf, type Info } from './info/fields.js'
import { qualityOf } from './info/formats.js'
import { isUnread, REFUSALS, refusalOf } from './info/refusals.js'
import { fileName, plainText } from './names.js'

const input = (more: Partial<DownloadInput> = {}): DownloadInput => ({
  url: 'https://example.com/',
  quality: '720',
  format: 'mp4',
  ...more,
})
const info = (given: object): Info => infoOf(Buffer.from(JSON.stringify(given)))
const RAW: Way = { raw: true, converted: false, adts: false, staged: false }

describe('video: what a call costs and selects', () => {
  it('takes audio, mp3 and m4a for sound, and fills in the format', () => {
    const filled = (quality: string, format: DownloadInput['format']): string | null =>
      videoDownload.normalise?.(input({ quality, format })).format ?? null
    expect([filled('audio', null), filled('720', null), filled('audio', 'm4a')]).to.deep.equal(['mp3', 'mp4', 'm4a'])
    const price = (quality: string, format: DownloadInput['format']): number => videoDownload.price.quote(input({ quality, format }))
    expect([price('720', 'mp4'), price('720', null), price('720', 'mp3'), price('audio', null)]).to.deep.equal([3, 3, 2, 2])
    expect(videoDownload.price.quote(input(), { video: 7, audio: 5 })).to.equal(7)
    expect(isAudio({ quality: 'best', format: 'm4a' })).to.equal(true)
  })

  it('selects the best up to a height, or for the best of all', () => {
    expect(
      [selectionOf(input({ quality: '480' })).sort, selectionOf(input({ quality: 'best' })).sort].map((sort) => sort.split(',', 1)[0]),
    ).to.deep.equal(['res:480', 'res'])
    expect(selectionOf(input({ format: 'mp3' })).format).to.equal('ba/b')
  })

  it('names the quality of an upright film by its smaller side', () => {
    expect([
      qualityOf({ width: 1280, height: 720 }),
      qualityOf({ width: 720, height: 1280 }),
      qualityOf({ width: null, height: 720 }),
      qualityOf({ width: null, height: null }),
    ]).to.deep.equal(['720p', '720p', '720p', null])
  })
})

describe('video: how a file is made', () => {
  const whole = { format_id: 'a', ext: 'mp4', protocol: 'https' }

  it('passes one progressive MP4 on, unless there are chapters or subtitles to put into it', () => {
    expect(firstWay(info(whole), 'mp4')).to.deep.equal(RAW)
    const chapters = [{ start_time: 0, end_time: 2, title: 'One' }]
    expect(firstWay(info({ ...whole, chapters }), 'mp4').raw).to.equal(false)
    expect(firstWay(info({ ...whole, subtitles: { en: [{ ext: 'vtt', url: 'https://example.com/en.vtt' }] } }), 'mp4').raw).to.equal(false)
    expect(firstWay(info({ ...whole, protocol: 'm3u8_native' }), 'mp4')).to.deep.equal({ ...RAW, raw: false, adts: true })
  })

  it('copies sound that is what the container carries, and encodes other', () => {
    const sound = (acodec: string | null, ext: string): Info => info({ format_id: 's', ext, protocol: 'https', vcodec: 'none', acodec })
    expect(
      [firstWay(sound('mp4a.40.2', 'm4a'), 'm4a'), firstWay(sound('opus', 'webm'), 'm4a'), firstWay(sound(null, 'mp3'), 'mp3')].map(
        (way) => way.converted,
      ),
    ).to.deep.equal([false, true, false])
  })

  for (const [messages, changed] of [
    ['Malformed AAC bitstream detected', { adts: true }],
    ["Codec 'ac3' (86019) is not supported by the bitstream filter 'aac_adtstoasc'", { adts: false }],
    ['Could not find tag for codec vp8 in stream #0', { converted: true, adts: false }],
    ['stream 1, offset 0x30: partial file', { staged: true }],
  ] as const)
    it(`goes another way after "${messages}"`, () => {
      const way = { ...RAW, raw: false, adts: messages.startsWith('Codec') }
      expect(nextWay(way, messages)).to.deep.equal({ ...way, ...changed })
    })

  it('goes no way twice, and none after what it does not know', () => {
    const last = { raw: false, converted: true, adts: false, staged: true }
    expect([nextWay(last, 'partial file'), nextWay(last, 'Could not find tag for codec'), nextWay(RAW, 'Something else')]).to.deep.equal([
      null,
      null,
      null,
    ])
  })

  it('writes title and chapters so that none of their letters ends a line or begins another', () => {
    const meta = metaOf({ title: 'A=B; #1 \\', chapters: [{ start: 0, end: 1.5, title: '[CHAPTER]' }] })
    expect(meta).to.equal(';FFMETADATA1\ntitle=A\\=B\\; \\#1 \\\\\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=[CHAPTER]\n')
  })
})

describe('video: languages', () => {
  it('names a language as MP4 does', () => {
    expect(['en', 'pt-BR', 'zh-Hans', 'deu', 'xx', 'x'].map(mp4Language)).to.deep.equal(['eng', 'por', 'zho', 'deu', 'und', 'und'])
  })
})

describe('video: names', () => {
  it('makes one line of a title, without control characters and marks that turn its direction', () => {
    expect(plainText('\u202eevil\u202c\u0000 \n title\u2028')).to.equal('evil title')
    expect([plainText('\u200f'), plainText(7), plainText('x'.repeat(5_000))?.length]).to.deep.equal([null, null, 500])
  })

  it('makes no path and no hidden file of a title', () => {
    expect([fileName('../../etc/passwd', 'mp4'), fileName('a/b\\c:d', 'mp3'), fileName('...', 'm4a'), fileName(null, 'mp4')]).to.deep.equal(
      ['etc_passwd.mp4', 'a_b_c_d.mp3', 'video.m4a', 'video.mp4'],
    )
    expect([...fileName('é'.repeat(400), 'mp4')].length).to.equal(104)
  })
})

describe('video: errors of yt-dlp', () => {
  it('has each reason in words of its own', () => {
    expect(new Set(REFUSALS.map(({ message: says }) => says)).size).to.equal(REFUSALS.length)
  })

  it('reads the last error, and never shows the text of a site to callers', () => {
    const fault = refusalOf('ERROR: [x] 1: Private video\nWARNING: x\nERROR: [x] 1: This video is DRM protected <script>\n')
    expect([fault.kind, fault.message, fault.final]).to.deep.equal(['blocked', 'The video is protected by DRM.', true])
    expect([refusalOf('').kind, refusalOf('ERROR: oops').kind]).to.deep.equal(['broken', 'broken'])
  })

  it('reads an error that returns to the beginning of its line', () => {
    const { kind, message, unavailable } = refusalOf('[info] x\nERROR: \r[download] Got error: 1000 bytes read, 72822 more expected\n')
    expect([kind, unavailable]).to.deep.equal(['blocked', true])
    expect(message).to.match(/broke off/)
  })

  it('recognises a download that ended because its reader did', () => {
    const broken = 'ERROR: Unable to download video: [Errno 32] Broken pipe\n'
    expect(isUnread(`[download] x\n${broken}${broken}`)).to.equal(true)
    expect([isUnread(''), isUnread(`${broken}ERROR: HTTP Error 403: Forbidden\n`)]).to.deep.equal([false, false])
  })

  it('takes the reason of a missing fragment from the lines before', () => {
    const lines =
      '[download] Got error: HTTP Error 403: Forbidden. Retrying fragment 2 (1/3)...\nERROR: fragment 2 not found, unable to continue\n'
    expect([refusalOf(lines).kind, refusalOf('ERROR: fragment 2 not found, unable to continue').kind]).to.deep.equal(['blocked', 'missing'])
  })

  it('reads 64 KiB of hostile text in less than 10 ms', () => {
    for (const letter of ['a', ' ', 'HTTP Error 4', 'account ', '0', 'sign ']) {
      const text = `ERROR: ${letter.repeat(Math.ceil(65_536 / letter.length))}`
      const times = Array.from({ length: 12 }, () => {
        const begin = performance.now()
        refusalOf(text)
        return performance.now() - begin
      })
      expect(Math.min(...times), letter).to.be.below(10)
    }
  })

  it('recognises a file that yt-dlp only takes for a video: its site does not give its type', () => {
    const guess = { title: 'film', direct: true, formats: [{ format_id: '0', url: 'https://example.com/film.mp4' }] }
    expect(info(guess).isGuess).to.equal(true)
    expect(info({ ...guess, formats: [{ format_id: 'mp4', url: 'https://example.com/film.mp4' }] }).isGuess).to.equal(false)
    expect(info({ title: 'film', formats: [{ format_id: '0' }] }).isGuess).to.equal(false)
  })

  it('takes fields of another type for none', () => {
    const { title, duration, views, date, thumbnail, chapters, subtitles } = info({
      ...{ title: [], duration: 'x', view_count: -1, upload_date: '2026', thumbnail: 'file:///etc/passwd' },
      ...{ chapters: [{ start_time: 5, end_time: 1 }, 7], subtitles: { '../../x': [{ ext: 'vtt' }], live_chat: [{ ext: 'json' }] } },
    })
    expect([title, duration, views, date, thumbnail, chapters, subtitles]).to.deep.equal([null, null, null, null, null, [], []])
  })
})

describe('video: progress', () => {
  it('adds the streams up, at most twice a second, and reports the end', () => {
    const reported: unknown[] = []
    let left = 10_000
    const report = downloadProgress({ timeLeft: () => left, progress: (...words) => void reported.push(words) })
    report('capstan 0 1048576 4194304 NA 1048576.5 3')
    report('capstan 1 1048576 4194304 NA NA NA')
    left -= 600
    report('capstan 1 1048576 4194304 NA 1048576 2')
    report('anything else')
    report('capstan 0 4194304 4194304 NA 1048576 0')
    report('capstan 1 4194304 4194304 NA 1048576 0')
    expect(reported).to.deep.equal([
      ['downloading', '25 %, 1.0 MiB/s, 3 s left', 1048576, 4194304],
      ['downloading', '25 %, 2.0 MiB/s, 3 s left', 2097152, 8388608],
      ['downloading', '100 %, 2.0 MiB/s, 0 s left', 8388608, 8388608],
    ])
  })

  it('reports the speed alone where the size is unknown', () => {
    const reported: unknown[] = []
    downloadProgress({ timeLeft: () => 1, progress: (...words) => void reported.push(words) })('capstan 0 10 NA NA NA NA')
    expect(reported).to.deep.equal([['downloading', '0.0 MiB/s', 10, undefined]])
  })
})

describe('video: remarks of doctor on yt-dlp', () => {
  let folder: string
  let program: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-tools-'))
    program = join(folder, 'bin', 'yt-dlp')
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'lib', 'yt_dlp'), { recursive: true })
    writeFileSync(program, '')
    writeFileSync(join(folder, 'lib', 'yt_dlp', 'version.py'), "# Autogenerated\n__version__ = '2026.01.01'\n")
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('names one of more than 90 days, and a Node that it does not support, with the command that mends it', () => {
    const remarks = remarksOn(program, Date.parse('2026-04-02'), '20.1.0')
    expect(remarks).to.deep.equal([
      'yt-dlp 2026.01.01 is 91 days old, and sites change: update Capstan, then npm run tools -- yt-dlp',
      'yt-dlp has no JavaScript runtime that it supports (Node 20.1.0 is unsupported), so that some sites fail: npm run tools -- yt-dlp',
    ])
  })

  it('has no remark on a young one with Deno beside it', () => {
    writeFileSync(join(folder, 'bin', 'deno'), '')
    expect(remarksOn(program, Date.parse('2026-04-01'), '20.1.0')).to.deep.equal([])
    expect(runtimeOf(program, '24.0.0')?.name).to.equal('deno')
  })

  it('takes Node where yt-dlp supports it', () => {
    expect([runtimeOf(program, '22.0.0')?.name, runtimeOf(program, '20.19.0')]).to.deep.equal(['node', null])
  })
})
