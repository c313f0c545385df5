import { expect } from 'chai'
import { once } from 'node:events'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import type { Site } from '../../test/support/browser-site.js'
import { redirectTo } from '../../test/support/egress-channels.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { needsProgram, programPath, skip } from '../../test/support/needs.js'
import { SmallDisk } from '../../test/support/small-disk.js'
import { until } from '../../test/support/time.js'
import { FILM_SECONDS, probed, VideoSite, type Probed } from '../../test/support/video-site.js'
import type { DownloadOutput, InfoOutput } from './contract.js'

interface Answer<T> {
  readonly data: T | null
  readonly error: { readonly type: string; readonly detail: string } | null
  readonly credits_used: number
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[]
  readonly metadata: { readonly notes?: readonly string[]; readonly provider_used: string | null }
}

const DOWNLOAD = '/v1/video/download'
const PICTURE = 'video h264 320x180'
const MIB = 1024 * 1024
/** An MP4 box that players skip (ISO/IEC 14496-12, `free`). */
const LONG_BOX = Buffer.concat([Buffer.from([0, 0x40, 0, 0]), Buffer.from('free'), Buffer.alloc(4 * MIB - 8)])
/** A WebM element that players skip (RFC 8794, 11.3.2): FFmpeg stops reading the file long before its end. */
const VOID = Buffer.concat([Buffer.from([0xec, 0x01, 0, 0, 0, 0, 0x40, 0, 0]), Buffer.alloc(4 * MIB)])
/** Bytes; more than any store accepts. */
const THREE_TERABYTES = 3e12

const manifest = (text: string) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text)
const status = (code: number) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(code, { 'content-type': 'text/html' }).end('<p>Sorry')
const playlist = (...segments: string[]): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n${segments.map((segment) => `#EXTINF:1,\n${segment}\n`).join('')}#EXT-X-ENDLIST\n`

/** A manifest that continues for as long as it is read. */
const endless = (type: string, head: string, line: string) => (_: unknown, response: ServerResponse) => {
  const block = line.repeat(2_000)
  response.writeHead(200, { 'content-type': type }).write(head)
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}

describe('video.info and video.download', function () {
  this.timeout(180_000)
  const films = new VideoSite()
  let site: Site
  let gateway: TestGateway
  let film: Buffer
  /** Ends the answer of /slow.mp4, half of which was sent. */
  let finish: () => void = () => undefined

  const mpd = (changed: (text: string) => string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/dash+xml' }).end(changed(readFileSync(films.path('dash.mpd'), 'utf8')))

  before(async function () {
    for (const program of ['ffmpeg', 'ffprobe', 'bwrap']) needsProgram(this, program)
    if (programPath('yt-dlp', [join(packageRoot(), '.tools', 'yt-dlp', 'bin')]) === null)
      skip(this, 'yt-dlp is not there: npm run tools -- yt-dlp')
    films.make()
    film = readFileSync(films.path('film.mp4'))
    site = await films.serve({
      '/page': '<title>Boats / of \u202ethe\u202c\u0007 north</title><video controls><source src="/film.mp4" type="video/mp4"></video>',
      '/two': '<title>Two</title><video src="/film.mp4"></video><video src="/late.mp4"></video>',
      '/foreign.webm': (_: unknown, response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'video/webm' }).end(Buffer.concat([readFileSync(films.path('foreign.webm')), VOID])),
      '/text': '<title>Text</title><p>No film here.',
      '/403': status(403),
      '/429': status(429),
      '/to': redirectTo,
      '/slow.mp4': (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length + LONG_BOX.length }).write(film)
        response.write(LONG_BOX.subarray(0, 3 * MIB))
        finish = () => void response.end(LONG_BOX.subarray(3 * MIB))
      },
      '/broken.mp4': (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length })
        response.write(film.subarray(0, 1_000), () => response.destroy())
      },
      '/endless.mp4': (_: unknown, response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': THREE_TERABYTES }).write(film),
      '/large.mp4': (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 24 * MIB }).write(film)
        response.end(Buffer.alloc(24 * MIB - film.length))
      },
      '/live.m3u8': manifest(playlist('hls0.ts').replace('#EXT-X-ENDLIST\n', '').replace('#EXT-X-PLAYLIST-TYPE:VOD\n', '')),
      '/master.m3u8': manifest(
        '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="subs.m3u8"\n' +
          '#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2",SUBTITLES="s"\nhls.m3u8\n',
      ),
      '/subs.m3u8': manifest(playlist('en.vtt')),
      '/en.vtt': (_: unknown, response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/vtt' }).end('WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nA boat.\n'),
      '/files.m3u8': manifest(playlist('file:///etc/passwd')),
      '/itself.m3u8': manifest(playlist('itself.m3u8')),
      '/inside.m3u8': manifest(playlist('hls0.ts', 'http://169.254.169.254/latest/')),
      '/endless.m3u8': endless('application/vnd.apple.mpegurl', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n', '#EXTINF:1,\nhls0.ts\n'),
      '/files.mpd': mpd((text) => text.replace(/<Period[^>]*>/, '$&<BaseURL>file:///etc/</BaseURL>')),
      '/itself.mpd': mpd((text) => text.replaceAll(/(initialization|media)="[^"]*"/g, '$1="itself.mpd"')),
      '/inside.mpd': mpd((text) => text.replace(/<Period[^>]*>/, '$&<BaseURL>http://169.254.169.254/latest/</BaseURL>')),
      '/endless.mpd': endless(
        'application/dash+xml',
        '<?xml version="1.0"?><MPD type="static"><Period>',
        '<AdaptationSet></AdaptationSet>\n',
      ),
    })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: site.authority } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    films.remove()
  })

  async function download(params: Record<string, unknown>, at = gateway): Promise<{ status: number; body: Answer<DownloadOutput> }> {
    const reply = await at.post(DOWNLOAD, params)
    return { status: reply.status, body: reply.json<Answer<DownloadOutput>>() }
  }
  const fetched = async (
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; bytes: Buffer; range: string | undefined }> => {
    const sent = request(url, { headers }).end()
    const [reply] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of reply) chunks.push(chunk as Buffer)
    return { status: reply.statusCode ?? 0, bytes: Buffer.concat(chunks), range: reply.headers['content-range'] }
  }
  /** Files in the store, including those being written. */
  const kept = (at = join(gateway.folder, 'artifacts')): number =>
    readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

  for (const [kind, path, params, streams, price] of [
    ['a progressive file', '/film.mp4', {}, [PICTURE, 'audio aac'], 3],
    ['HLS', '/hls.m3u8', {}, [PICTURE, 'audio aac'], 3],
    ['DASH, whose picture and sound are two streams', '/dash.mpd', {}, [PICTURE, 'audio aac'], 3],
    ['sound alone', '/sound.mp3', { format: 'mp3' }, ['audio mp3'], 2],
    ['a player in a page', '/page', {}, [PICTURE, 'audio aac'], 3],
    ['the sound of a file whose index comes last', '/late.mp4', { quality: 'audio', format: 'm4a' }, ['audio aac'], 2],
    ['codecs that MP4 cannot carry', '/foreign.webm', {}, [PICTURE], 3],
  ] as const)
    it(`downloads ${kind}: a whole file, at the price of its kind, at a link for one hour`, async () => {
      const begin = Date.now()
      const { status, body } = await download({ url: site.url + path, ...params })
      expect([status, body.error]).to.deep.equal([200, null])
      const { data, credits_used: credits, metadata } = body
      const { bytes } = await fetched(data?.download_url ?? '')
      const file: Probed = probed(bytes)
      const isAudio = price === 2
      const length = kind.startsWith('codecs') ? 1 : FILM_SECONDS
      expect([file.streams.filter((each) => !each.startsWith('subtitle')), credits, metadata.provider_used]).to.deep.equal([
        streams,
        price,
        'yt-dlp',
      ])
      expect(file.duration).to.be.closeTo(length, 0.3)
      expect(data?.duration_seconds ?? 0).to.be.closeTo(file.duration, 0.1)
      expect(data).to.deep.include({ quality: isAudio ? 'audio' : '180p', filesize_mb: Math.round((bytes.length / MIB) * 100) / 100 })
      expect((Date.parse(data?.expires_at ?? '') - begin) / 1_000).to.be.within(3_500, 3_700)
    })

  it('passes a progressive file on as it is, which a player reads in parts', async () => {
    const { body } = await download({ url: `${site.url}/film.mp4` })
    const url = body.data?.download_url ?? ''
    expect((await fetched(url)).bytes.equals(film)).to.equal(true)
    // A player requests all, leaves, and requests the end and a place in the middle.
    for (const [range, from, to] of [
      ['bytes=0-', 0, film.length],
      [`bytes=${String(film.length - 500)}-`, film.length - 500, film.length],
      ['bytes=-100', film.length - 100, film.length],
      ['bytes=1000-1999', 1_000, 2_000],
    ] as const) {
      const part = await fetched(url, { range })
      expect([part.status, part.range]).to.deep.equal([206, `bytes ${String(from)}-${String(to - 1)}/${String(film.length)}`])
      expect(part.bytes.equals(film.subarray(from, to)), range).to.equal(true)
    }
  })

  it('has the first bytes in the store before the last have come, and reports percent, speed and the time that remains', async () => {
    finish = () => undefined
    const folder = join(gateway.folder, 'artifacts')
    const size = (): number =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
        (sum, entry) =>
          sum +
          (entry.name.endsWith('.partial') ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0),
        0,
      )
    const answer = gateway.post(DOWNLOAD, { url: `${site.url}/slow.mp4` }, { accept: 'text/event-stream' })
    await until(() => size() > film.length, 60_000, 'the first bytes in the store')
    finish()
    const { text } = await answer
    const events = text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as { step?: string; detail?: string }] : []))
    const [detail = ''] = events.flatMap((event) => (event.step === 'downloading' && event.detail !== undefined ? [event.detail] : []))
    expect(detail).to.match(/^\d+ %, \d+\.\d MiB\/s, \d+ s left$/)
    expect(text).to.include('"success":true')
  })

  it('keeps subtitles, with their language', async () => {
    const { body } = await download({ url: `${site.url}/master.m3u8` })
    expect([body.error, body.metadata.notes ?? []]).to.deep.equal([null, []])
    const { streams } = probed((await fetched(body.data?.download_url ?? '')).bytes)
    expect(streams).to.deep.equal([PICTURE, 'audio aac', 'subtitle mov_text eng'])
  })

  it('cleans a title of what is no letter, and never makes a path of it', async () => {
    const { body } = await download({ url: `${site.url}/page`, quality: '144', format: 'mp4' })
    expect(body.data?.title).to.match(/^Boats \/ of the north/)
    expect(body.data?.filename).to.match(/^Boats _ of the north.*\.mp4$/)
    expect(body.metadata.notes).to.deep.equal(['The site has no quality up to 144p; the nearest one was taken.'])
  })

  it('video.info: what is known of a video for 1 credit, with an entry for the sound', async () => {
    const reply = await gateway.post('/v1/video/info', { url: `${site.url}/dash.mpd` })
    const { data, credits_used: credits } = reply.json<Answer<InfoOutput>>()
    expect([reply.status, credits, data?.platform, data?.title]).to.deep.equal([200, 1, 'generic', 'dash'])
    expect(data?.formats.map(({ quality }) => quality)).to.deep.equal(['180p', 'audio'])
  })

  for (const [what, params, loc] of [
    ['an address that looks like an option', { url: '--exec=touch /tmp/x' }, 'body.url'],
    ['a file of this machine', { url: 'file:///etc/passwd' }, 'body.url'],
    ['a search of yt-dlp', { url: 'ytsearch:boats' }, 'body.url'],
    ['sound as MP4', { url: 'https://example.com/', quality: 'audio', format: 'mp4' }, 'body.format'],
    ['a quality that no film has', { url: 'https://example.com/', quality: '100' }, 'body.quality'],
  ] as const)
    it(`T-54 refuses ${what} at its field`, async () => {
      const { status, body } = await download(params)
      expect([status, body.credits_used, body.detail?.map((each) => each.loc.join('.'))]).to.deep.equal([422, 0, [loc]])
    })

  for (const [what, path, code, slug, says] of [
    ['a live stream', '/live.m3u8', 422, 'validation-failed', /live stream/],
    ['a list of videos', '/two', 422, 'validation-failed', /list of several videos/],
    ['sound where video is wanted', '/sound.mp3', 422, 'validation-failed', /sound without a picture/],
    ['a page without a video', '/text', 422, 'no-result', /not supported/],
    ['a page that is not there', '/none', 422, 'no-result', /no such video/],
    ['a page that refuses', '/403', 422, 'target-blocked', /refused access/],
    ['a page that is busy', '/429', 502, 'target-unavailable', /busy/],
    ['a redirect inside', '/to?http://169.254.169.254/latest/', 422, 'target-blocked', /refused access/],
    ['HLS that names files', '/files.m3u8', 422, 'no-result', /./],
    ['DASH that names files', '/files.mpd', 422, 'no-result', /./],
    ['HLS that names itself', '/itself.m3u8', 422, 'no-result', /./],
    ['DASH that names itself', '/itself.mpd', 422, 'no-result', /./],
    ['HLS that leads inside', '/inside.m3u8', 422, 'target-blocked', /refused access/],
    ['DASH that leads inside', '/inside.mpd', 422, 'target-blocked', /refused access/],
    ['HLS without an end', '/endless.m3u8', 502, 'target-unavailable', /did not deliver/],
    ['DASH without an end', '/endless.mpd', 502, 'target-unavailable', /did not deliver/],
    ['a file of 3 TB', '/endless.mp4', 422, 'validation-failed', /1 GiB/],
    ['a file that breaks off', '/broken.mp4', 502, 'target-unavailable', /did not deliver/],
  ] as const)
    it(`T-54 refuses ${what} in words of its own, charges nothing and leaves nothing behind`, async () => {
      const before = kept()
      const { status, body } = await download({ url: site.url + path })
      expect([status, body.error?.type, body.credits_used]).to.deep.equal([code, `${gateway.url}/errors/${slug}`, 0])
      expect(JSON.stringify([body.error?.detail, body.detail])).to.match(says)
      expect([kept(), (await gateway.money()).held]).to.deep.equal([before, 0])
    })

  it('refuses a download that fills the disk, charges nothing and leaves nothing behind', async function () {
    const disk = new SmallDisk(this, 8)
    const small = await startGateway({
      bundled: true,
      env: { CAPSTAN_ALLOW_PRIVATE: site.authority, CAPSTAN_ARTIFACTS: `file:${disk.folder}/files` },
    })
    try {
      const { status, body } = await download({ url: `${site.url}/large.mp4` }, small)
      expect([status, body.error?.type, body.credits_used]).to.deep.equal([503, `${small.url}/errors/overloaded`, 0])
      expect(kept(disk.folder)).to.equal(0)
    } finally {
      await small.close()
      disk.remove()
    }
  })
})
