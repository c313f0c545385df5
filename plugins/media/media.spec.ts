import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noCallFiles } from '../../test/support/call-files.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { index } from '../../test/support/loader-texts.js'
import { PluginFolder } from '../../test/support/loader.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noisyPhoto } from '../../test/support/photo.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { probed } from './probed.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat, nullable, or, port, scratchFile } from '${SDK}'
export const listen = capability({
  id: 'listen', path: '/v1/listen', title: 'Listen', description: 'Looks into a file.', price: flat(1),
  input: Type.Object({ url: Type.String({ description: 'Address.' }), to: or(nullable(Type.String({ description: 'Form.' })), null), more: or(Type.Record(Type.String(), Type.Unknown(), { description: 'Input.' }), { duration: 1, height: 91 }) }),
  output: Type.Object({ found: Type.Unknown(), url: nullable(Type.String()) }),
  examples: [{ title: 'One', params: { url: 'http://example.com/x' } }],
})
`
const handler = `import { handle, port, scratchFile, Type } from '${SDK}'
import { listen } from './contract.mjs'
const ported = (id, more) => port({ id, input: Type.Object({ file: scratchFile, ...more }), output: Type.Unknown() })
const probe = ported('media.probe', {})
const convert = ported('media.convert', { to: Type.String() })
export const run = handle(listen, async ({ url, to, more }, ctx) => {
  const file = await ctx.scratch.fetch(url)
  const found = await ctx.call(probe, { file })
  if (to === null) return { found, url: null }
  const made = await ctx.call(convert, { file, to, ...more })
  const stored = await ctx.scratch.store(made.file, { name: 'made.' + to, contentType: made.content_type })
  return { found: made, url: stored.url }
})
`
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=16000']
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=320x200:rate=10']

describe('media', function () {
  this.timeout(60_000)
  const usual = tmpdir()
  let sources: string
  let site: Running
  let folder: PluginFolder
  let gateway: TestGateway
  let temporary: TemporaryFolder
  const host = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: sources, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
    return stdout
  }
  const listen = async (name: string, to: string | null = null, more?: object) =>
    await gateway.post('/v1/listen', { url: `${site.url}/${name}`, to, ...(more === undefined ? {} : { more }) })

  before(async function () {
    needs(this, 'ffmpeg', 'ffprobe', 'bwrap')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    sources = await mkdtemp(join(tmpdir(), 'capstan-media-'))
    process.env['TMPDIR'] = temporary.path
    host('ffmpeg', ['-v', 'error', ...SOUND, '-t', '3', '-metadata', 'title=Tone', 'tone.wav'])
    host('ffmpeg', ['-v', 'error', ...PICTURE, ...SOUND, '-t', '2', '-metadata:s:a:0', 'language=deu', 'film.mp4'])
    const film = readFileSync(join(sources, 'film.mp4'))
    await writeFile(join(sources, 'cut.mp4'), film.subarray(0, 3000))
    await writeFile(join(sources, 'empty'), '')
    await writeFile(join(sources, 'text.wav'), 'root:x:0:0 '.repeat(100))
    await writeFile(join(sources, 'list.m3u8'), '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    await writeFile(join(sources, 'list.ffconcat'), 'ffconcat version 1.0\nfile /etc/passwd\nfile http://127.0.0.1:1/x\n')
    await writeFile(
      join(sources, 'list.mpd'),
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period/></MPD>',
    )
    site = await httpServer((request, response) => response.end(readFileSync(join(sources, (request.url ?? '').slice(1)))))
    folder = await PluginFolder.make()
    await folder.write('listen', { 'index.mjs': index('listen', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    await folder?.remove()
    process.env['TMPDIR'] = usual
    temporary?.remove()
    if (sources !== undefined) await rm(sources, { recursive: true, force: true })
  })

  it('says what is in a file of sound', async () => {
    const reply = await listen('tone.wav')
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.have.nested.property('data.found').that.deep.includes({ container: 'wav', duration: 3, title: 'Tone' })
    expect(reply.json()).to.have.nested.property('data.found.streams[0]').that.deep.includes({
      kind: 'audio',
      codec: 'pcm_s16le',
      sample_rate: 16_000,
      channels: 1,
      bit_rate: 256_000,
      width: null,
      cover: false,
    })
  })

  it('says what is in a film', async () => {
    const reply = await listen('film.mp4')
    expect(reply.json()).to.have.nested.property('data.found.duration').that.is.closeTo(2, 0.1)
    const found = reply.json<{ data: { found: { streams: Record<string, unknown>[] } } }>()
    expect(found.data.found.streams.map(({ kind, language, width, height, fps, rotation }) => [kind, language, width, height, fps, rotation])).to.eql([
      ['video', null, 320, 200, 10, 0],
      ['audio', 'deu', null, null, null, null],
    ]) // prettier-ignore
  })

  for (const [source, to, kinds] of [
    ['tone.wav', 'mp3', ['audio']],
    ['tone.wav', 'm4a', ['audio']],
    ['tone.wav', 'flac', ['audio']],
    ['film.mp4', 'wav', ['audio']],
    ['film.mp4', 'ogg', ['audio']],
    ['film.mp4', 'opus', ['audio']],
    ['film.mp4', 'mp4', ['video', 'audio']],
    ['film.mp4', 'webm', ['video', 'audio']],
  ] as const)
    it(`makes ${to} of ${source}, cut to a second, as ffprobe sees it too`, async () => {
      const reply = await listen(source, to)
      expect(reply.status, reply.text).to.equal(200)
      const { url } = reply.json<{ data: { url: string } }>().data
      const made = await fetch(url)
      await writeFile(join(sources, `made.${to}`), Buffer.from(await made.arrayBuffer()))
      const { format, streams } = JSON.parse(
        host('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', `made.${to}`]),
      ) as {
        format: { duration: string }
        streams: { codec_type: string; height?: number }[]
      }
      expect(Number(format.duration)).to.be.closeTo(1, 0.15)
      expect(streams.map(({ codec_type }) => codec_type)).to.have.members([...kinds])
      for (const { height } of streams) if (height !== undefined) expect(height).to.equal(90)
    })

  for (const name of ['empty', 'text.wav', 'cut.mp4', 'list.m3u8', 'list.ffconcat', 'list.mpd'])
    it(`that is none is 422 and free, and nothing of the machine is in the answer: ${name}`, async () => {
      const reply = await listen(name)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.contain('not readable audio or video').and.not.contain('root:')
      expect(reply.headers['x-credits-used']).to.equal('0')
    })

  it('shows how far it is to callers who asked for events, in seconds of the result', async () => {
    const body = { url: `${site.url}/tone.wav`, to: 'flac' }
    const { text } = await gateway.send('/v1/listen', { body, headers: { accept: 'text/event-stream' } })
    const shown = [...text.matchAll(/^event: progress\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, unknown>)
    expect(shown.at(-1)).to.deep.equal({ step: 'converting', detail: 'flac', done: 1, total: 1 })
    expect(text).to.match(/\nevent: result\ndata: \{"success":true/)
  })

  it('A7 a file with 1.5 MB of tags is read: of its tags no more is asked for than the title', async () => {
    const tags = Array.from({ length: 15 }, (_, at) => ['-metadata', `k${String(at)}=${'x'.repeat(100_000)}`]).flat()
    host('ffmpeg', ['-v', 'error', '-i', 'tone.wav', ...tags, '-y', 'tags.mp3'])
    const reply = await listen('tags.mp3')
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.have.nested.property('data.found.streams[0].codec', 'mp3')
    host('ffmpeg', ['-v', 'error', '-i', 'tone.wav', '-metadata', `title=${'x'.repeat(120_000)}`, '-y', 'title.mp3'])
    const long = await listen('title.mp3')
    expect(long.status, long.text.slice(0, 300)).to.equal(200)
  })

  it('F5 subtitles in a code page, UTF-16 or with styles are all in the result', async () => {
    const cue = (text: string, second = '03'): string =>
      `00:00:01,000 --> 00:00:02,500\n${text}\n\n2\n00:00:${second},000 --> 00:00:04,000\n<i>More</i>\n`
    const vtt = (blocks: string, end = '\n'): string => ['WEBVTT - title', '', blocks, '', '00:01.000 --> 00:02.500', 'Hello', ''].join(end)
    for (const [name, bytes, to, texts] of [
      ['cp1252.srt', Buffer.from(`1\n${cue('D\xe9j\xe0 vu \x96 caf\xe9')}`, 'latin1'), 'vtt', ['Déjà vu – café', 'More']],
      ['utf16.srt', Buffer.from(`\ufeff1\n${cue('Grüße')}`, 'utf16le'), 'vtt', ['Grüße', 'More']],
      ['mac.srt', Buffer.from(`1\n${cue('Stra\xdfe')}`.replaceAll('\n', '\r'), 'latin1'), 'ass', ['Straße', 'More']],
      ['style.vtt', Buffer.from(vtt('STYLE\n::cue{color:red}')), 'srt', ['Hello']],
      ['region.vtt', Buffer.from(vtt('REGION\r\nid:a\r\n\r\nNOTE of it\r\n\r\nSTYLE\r\n::cue{}', '\r\n')), 'ass', ['Hello']],
      ['late.vtt', Buffer.from(`${vtt('NOTE')}\nSTYLE\n::cue{}\n\n00:05.000 --> 00:06.000\nAfter\n`), 'srt', ['Hello', 'After']],
    ] as const) {
      await writeFile(join(sources, name), bytes)
      const reply = await listen(name, to, {})
      expect(reply.status, `${name}: ${reply.text}`).to.equal(200)
      const { data, metadata } = reply.json<{ data: { url: string }; metadata: { notes?: string[] } }>()
      const made = await (await fetch(data.url)).text()
      for (const text of texts) expect(made, name).to.contain(text)
      expect(metadata.notes ?? [], name).to.eql([])
    }
  })

  it('F5 subtitles that FFmpeg leaves out are counted in a note', async () => {
    const cues = ['00:01.000 --> 00:02.000\nOne', '00:0x.000 --> never\nTwo', '00:05.000 --> 00:06.000\nThree']
    await writeFile(join(sources, 'odd.vtt'), ['WEBVTT', ...cues, ''].join('\n\n'))
    const reply = await listen('odd.vtt', 'srt', {})
    expect(reply.json<{ metadata: { notes: string[] } }>().metadata.notes).to.eql([
      '2 of 3 subtitles were left out: they have no text, or cannot be read.',
    ])
  })

  it('of which nothing can be made in that form is 422', async () => {
    host('ffmpeg', ['-v', 'error', ...PICTURE, '-t', '1', 'mute.mp4'])
    const reply = await listen('mute.mp4', 'mp3')
    expect(reply.status, reply.text).to.equal(422)
  })

  it('T-49 a result that would be larger than it may is not given cut, and is free', async () => {
    host('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=96000:cl=stereo', '-t', '1600', '-y', 'silence.flac'])
    const reply = await listen('silence.flac', 'wav', {})
    expect(reply.status, reply.text).to.equal(422)
    expect(reply.text).to.contain('larger than the 496 MiB that it may be')
    expect(reply.headers['x-credits-used']).to.equal('0')
  })

  it('T-49 pictures of more pixels than films have are not decoded, whatever the file says of itself', async () => {
    host('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=size=8192x5120:rate=1', '-frames:v', '1', '-pix_fmt', 'yuv420p', 'huge.mkv'])
    const reply = await listen('huge.mkv', 'mp4', {})
    expect(reply.status, reply.text).to.equal(422)
    expect(reply.text).to.contain('42 million pixels; at most 40 million')
  })

  it('T-49 a photograph of 62 million pixels and 20 MB is refused within the memory that a file may take', async () => {
    await writeFile(join(sources, 'photo.jpg'), await noisyPhoto())
    for (const to of ['mp4', 'gif', 'mjpeg']) {
      const reply = await listen('photo.jpg', to, {})
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.headers['x-credits-used']).to.equal('0')
    }
  })

  it('leaves no file behind', async () => {
    await noCallFiles(temporary.path)
  })
})

describe('media: what ffprobe writes', () => {
  const of = (value: unknown) => probed(Buffer.from(JSON.stringify(value)))
  it('is read leniently, and what is not there is null', () => {
    expect(
      of({ format: { format_name: 'ogg', duration: 'N/A', tags: { title: ' ' } }, streams: [{ codec_type: 'data' }, 7] }),
    ).to.deep.include({
      container: 'ogg',
      duration: null,
      title: null,
    })
    expect(of({ format: { format_name: 'x' } }).streams).to.deep.equal([])
  })

  it('turns of a picture are reported clockwise, by the matrix or the older tag', () => {
    const turn = (stream: object) =>
      of({ format: { format_name: 'x' }, streams: [{ codec_type: 'video', ...stream }] }).streams[0]?.rotation
    expect(turn({ side_data_list: [{ rotation: -90 }] })).to.equal(90)
    expect(turn({ side_data_list: [{ rotation: 90 }], tags: { rotate: '90' } })).to.equal(270)
    expect(turn({ tags: { rotate: '180' } })).to.equal(180)
    expect(turn({})).to.equal(0)
  })

  it('A7 that is cut is the fault of the file: it is invalid, and asks nobody else', () => {
    expect(() => probed(Buffer.from('{"format":{"format_name":"mp3"'), true))
      .to.throw('too many streams')
      .with.property('kind', 'invalid')
  })

  it('that is something else is the fault of the program', () => {
    for (const text of ['', 'x', '[]', '{}', '{"format":{}}'])
      expect(() => probed(Buffer.from(text)), text)
        .to.throw()
        .with.property('kind', 'broken')
  })
})
