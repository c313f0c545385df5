import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGateway, type Reply, type TestGateway } from '../../test/support/gateway.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { skip } from '../../test/support/needs.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { SOUND_FONT } from '../_vendors/music.js'
import { SAMPLE_FOLDER } from '../_vendors/samples.js'
import { FORMAT_NAMES, FORMATS, type FormatName } from './formats.js'

interface Answer {
  readonly data: {
    readonly audio_base64: string
    readonly format: string
    readonly sample_rate: number
    readonly duration_seconds: number
    readonly prompt: string
  } | null
  readonly error: {
    readonly type: string
    readonly detail: string
    readonly alternative_action: string
    readonly errors?: readonly { loc: readonly string[]; msg: string }[]
  } | null
  readonly metadata: { readonly provider_used: string | null; readonly notes?: readonly string[] }
  readonly credits_used: number
}

describe('sounds.generate', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let folder: TemporaryFolder

  before(async function () {
    needs(this, 'bwrap', 'ffmpeg')
    folder = new TemporaryFolder()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_WATERFALL_SOUNDS_GENERATE: 'samples,music,synth' } })
  })
  after(async () => {
    await gateway?.close()
    folder?.remove()
  })

  const send = async (params: object): Promise<Reply> => await gateway.post('/v1/sounds/generate', params)
  const made = async (params: object) => {
    const reply = await send(params)
    const { data, error, metadata, credits_used } = reply.json<Answer>()
    if (data === null) throw new Error(`${String(reply.status)} ${error?.detail ?? ''}`)
    return { ...data, metadata, credits_used, bytes: Buffer.from(data.audio_base64, 'base64') }
  }
  const refused = async (params: object) => {
    const reply = await send(params)
    const { data, error, credits_used } = reply.json<Answer>()
    expect([data, credits_used]).to.deep.equal([null, 0])
    return { status: reply.status, type: error?.type.split('/').at(-1), detail: error?.detail ?? '', action: error?.alternative_action }
  }
  /** The violation of a request: the field and the message. */
  const wrong = async (params: object) => {
    const reply = await send(params)
    const [first] = reply.json<{ readonly detail: readonly { readonly loc: readonly string[]; readonly msg: string }[] }>().detail
    return { status: reply.status, loc: first?.loc.join('.'), msg: first?.msg ?? '' }
  }
  /** FFmpeg's decoded frames of a file in one of the formats, and its loudness by ebur128. */
  const decoded = (bytes: Buffer, name: FormatName): { frames: number; lufs: number } => {
    const { kind, rate, channels } = FORMATS[name]
    const path = join(folder.path, `sound.${kind}`)
    writeFileSync(path, bytes)
    const source = kind === 'pcm' ? ['-f', 's16le', '-ar', String(rate), '-ac', String(channels), '-i', path] : ['-i', path]
    const raw = spawnSync('ffmpeg', ['-v', 'error', ...source, '-f', 's16le', 'pipe:1'], { maxBuffer: 64 * 1024 * 1024 })
    const output = spawnSync('ffmpeg', ['-hide_banner', '-nostats', ...source, '-af', 'ebur128', '-f', 'null', '-'], {
      encoding: 'utf8',
    }).stderr
    const lufs = output.slice(output.lastIndexOf('Summary:')).match(/I: +(-?[\d.]+) LUFS/)?.[1]
    return { frames: raw.stdout.length / 2 / channels, lufs: Number(lufs) }
  }

  for (const name of FORMAT_NAMES)
    it(`a sound as ${name} has exactly the length that was asked for and -23 LUFS`, async () => {
      const { kind, rate } = FORMATS[name]
      const sound = await made({ prompt: 'heavy rain', duration_seconds: 1.37, output_format: name })
      expect(sound).to.include({ format: kind, sample_rate: rate, prompt: 'heavy rain', credits_used: 4 })
      const { frames, lufs } = decoded(sound.bytes, name)
      expect(frames).to.equal(Math.round(1.37 * rate))
      expect(sound.duration_seconds).to.equal(frames / rate)
      expect(lufs).to.be.within(-24, -22)
    })

  it('the same prompt twice is the same bytes, and another length is another sound', async () => {
    const hash = async (seconds: number): Promise<string> =>
      createHash('sha256')
        .update((await made({ prompt: 'rain and distant thunder', duration_seconds: seconds })).bytes)
        .digest('hex')
    const [one, other, longer] = [await hash(1), await hash(1), await hash(1.5)]
    expect(one).to.equal(other)
    expect(one).not.to.equal(longer)
  })

  it('a sound without a length has five seconds, and duration is another name of it', async () => {
    expect((await made({ prompt: 'a click', output_format: 'pcm_16000' })).duration_seconds).to.equal(5)
    expect((await made({ prompt: 'a click', duration: 0.5, output_format: 'pcm_16000' })).duration_seconds).to.equal(0.5)
    expect((await made({ prompt: 'a click', duration: 2, duration_seconds: 2, output_format: 'pcm_16000' })).duration_seconds).to.equal(2)
  })

  it('two lengths that differ, and lengths out of bounds, are refused by their names', async () => {
    const both = await wrong({ prompt: 'rain', duration: 3, duration_seconds: 4 })
    expect(both).to.include({ status: 422, loc: 'body.duration' })
    expect(both.msg).to.contain('duration_seconds').and.contain('3').and.contain('4')
    for (const params of [
      { duration_seconds: 0.4 },
      { duration: 22.1 },
      { duration_seconds: 'five' },
      { prompt_influence: 1.1 },
      { output_format: 'flac' },
      { prompt: ' …' },
      { prompt: 'a'.repeat(1_001) },
    ]) {
      const [field] = Object.keys(params)
      expect(await wrong({ prompt: 'rain', ...params }), field).to.include({ status: 422, loc: `body.${field ?? ''}` })
    }
  })

  it('spoken words are no result, nor is what nothing fits; neither costs anything', async () => {
    const spoken = await refused({ prompt: 'a man says hello' })
    expect([spoken.status, spoken.type, spoken.detail]).to.deep.equal([
      422,
      'no-result',
      'The prompt requests spoken words, which are not supported.',
    ])
    expect(await refused({ prompt: 'a dog barking' })).to.include({
      status: 422,
      type: 'no-result',
      detail: 'Too few words of the prompt name a sound that is made here.',
      action:
        'Name things such as rain, footsteps, a bell, an engine or a piano. A lower prompt_influence leaves out more words that are not understood; the providers elevenlabs, fal and replicate, with a key of the operator, make other sounds.',
    })
    expect(await gateway.money()).to.include({ held: 0 })
  })

  it('names the words that it left out, and refuses them where the prompt counts word by word', async () => {
    const sound = await made({ prompt: 'rain on a zeppelin', duration_seconds: 0.5 })
    expect(sound.metadata.notes?.join()).to.equal('Nothing here fits these words, which were left out: zeppelin.')
    expect(await refused({ prompt: 'rain on a zeppelin', prompt_influence: 1 })).to.include({ type: 'no-result' })
  })

  it('a loop runs from its end into its beginning, and MP3 says what players do to it', async () => {
    const sound = await made({ prompt: 'a 441 Hz tone, loop', duration_seconds: 1, output_format: 'pcm_44100' })
    const samples = new Int16Array(Uint8Array.from(sound.bytes).buffer)
    const most = samples.reduce((largest, each, at) => (at === 0 ? 0 : Math.max(largest, Math.abs(each - (samples[at - 1] ?? 0)))), 0)
    expect(Math.abs((samples[0] ?? 0) - (samples.at(-1) ?? 0))).to.be.at.most(most)
    expect(sound.metadata.notes ?? []).to.deep.equal([])
    const mp3 = await made({ prompt: 'a 441 Hz tone, loop', duration_seconds: 1 })
    expect(mp3.metadata.notes?.join()).to.contain('MP3')
  })

  it('one thing after another each has its share of the time', async () => {
    const sound = await made({ prompt: 'a 500 Hz tone then white noise', duration_seconds: 2, output_format: 'pcm_16000' })
    const samples = new Int16Array(Uint8Array.from(sound.bytes).buffer)
    const turns = (from: number, to: number): number =>
      samples.slice(from, to).reduce((sum, each, at, all) => sum + (at > 0 && each < 0 !== (all[at - 1] ?? 0) < 0 ? 1 : 0), 0)
    expect(turns(2_000, 10_000)).to.be.closeTo(500, 4)
    expect(turns(26_000, 30_000)).to.be.above(1_000)
  })

  it('a recorded sound, and one in a mix with what is synthesized', async function () {
    if (!existsSync(SAMPLE_FOLDER)) skip(this, 'sonic-pi-samples is not installed')
    const crow = await made({ prompt: 'a crow cawing', duration_seconds: 1, output_format: 'wav_44100' })
    expect(crow.metadata.provider_used).to.equal('samples')
    expect(decoded(crow.bytes, 'wav_44100').frames).to.equal(44_100)
    const mix = await made({ prompt: 'a crow in the rain', duration_seconds: 1, output_format: 'wav_44100' })
    expect(mix.metadata.provider_used).to.equal('synth')
  })

  it('synth makes by itself what the engines before it are left out for', async () => {
    const alone = await startGateway({ bundled: true, env: { CAPSTAN_WATERFALL_SOUNDS_GENERATE: 'synth' } })
    try {
      const bell = (await alone.post('/v1/sounds/generate', { prompt: 'a church bell', duration_seconds: 0.5 })).json<Answer>()
      expect([bell.error, bell.metadata.provider_used]).to.deep.equal([null, 'synth'])
      const piano = (await alone.post('/v1/sounds/generate', { prompt: 'a sad piano melody', duration_seconds: 0.5 })).json<Answer>()
      expect(piano.error?.detail).to.equal('Too few words of the prompt name a sound that is made here.')
    } finally {
      await alone.close()
    }
  })

  it('music of a sound font, the same twice, and in a mix', async function () {
    if (!existsSync(SOUND_FONT)) skip(this, 'timgm6mb-soundfont is not installed')
    const order = { prompt: 'calm piano melody', duration_seconds: 2, output_format: 'ogg_48000' }
    const [one, other] = [await made(order), await made(order)]
    expect(one.metadata.provider_used).to.equal('music')
    expect(one.audio_base64).to.equal(other.audio_base64)
    const { frames, lufs } = decoded(one.bytes, 'ogg_48000')
    expect(frames).to.equal(96_000)
    expect(lufs).to.be.within(-24, -22)
    const mix = await made({ prompt: 'piano music with rain', duration_seconds: 1 })
    expect(mix.metadata.provider_used).to.equal('synth')
  })
})
