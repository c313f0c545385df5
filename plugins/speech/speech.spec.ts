import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { needsProgram, skip } from '../../test/support/needs.js'
import { readMp3 } from './sound/mp3.js'
import { readWav, writeWav } from './sound/wav.js'

interface Answer {
  readonly success: boolean
  readonly data: { audio_base64: string; format: string; sample_rate: number; text: string; voice_model: string } | null
  readonly error: { readonly type: string; readonly detail: string } | null
  readonly credits_used: number
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[]
  readonly metadata: {
    readonly provider_used: string | null
    readonly notes?: readonly string[]
    readonly attempts: readonly { readonly provider: string; readonly port: string; readonly outcome: string }[]
  }
}
interface Listed {
  readonly count: number
  readonly voices: readonly { readonly provider: string; readonly voice_id: string; readonly languages: readonly string[] }[]
}

/** A request to a vendor: path with query, and body. */
interface Asked {
  readonly url: string
  readonly body: Record<string, unknown>
}

/** A vendor that answers every request in the same way, and records them. */
class TestVendor {
  readonly asked: Asked[] = []
  reply: { readonly status?: number; readonly type: string; readonly bytes: Uint8Array }

  constructor(bytes: Uint8Array, type = 'audio/mpeg') {
    this.reply = { bytes, type }
  }

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      this.asked.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown> })
      response.writeHead(this.reply.status ?? 200, { 'content-type': this.reply.type }).end(this.reply.bytes)
    })
  }
}

const tone = (rate: number, loudness: number, seconds = 0.5): Uint8Array =>
  writeWav({
    rate,
    samples: Int16Array.from({ length: rate * seconds }, (_, at) => Math.round(loudness * Math.sin((2 * Math.PI * 440 * at) / rate))),
  })

/** Sound as 44.1 kHz MP3. */
function mp3(wav: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-speech-'))
  try {
    writeFileSync(join(folder, 'a.wav'), wav)
    const args = ['-v', 'error', '-i', 'a.wav', '-ar', '44100', '-b:a', '128k', 'a.mp3']
    const { status, stderr } = spawnSync('ffmpeg', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return readFileSync(join(folder, 'a.mp3'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function speak(gateway: TestGateway, params: Record<string, unknown>): Promise<{ status: number; body: Answer }> {
  const reply = await gateway.post('/v1/speech/synthesize', params)
  return { status: reply.status, body: reply.json<Answer>() }
}

const locs = ({ detail = [] }: Answer): string[] => detail.map(({ loc }) => loc.join('.'))
const soundOf = ({ data }: Answer): Buffer => Buffer.from(data?.audio_base64 ?? '', 'base64')
const secondsOf = (answer: Answer): number => {
  const [sound, wav] = [soundOf(answer), readWav(soundOf(answer))]
  return wav === null ? (readMp3(sound)?.seconds ?? 0) : wav.samples.length / wav.rate
}
const outcomes = ({ metadata }: Answer): string[] =>
  metadata.attempts.filter(({ port }) => port === 'speech.synthesize').map(({ provider, outcome }) => `${provider} ${outcome}`)

describe('speech.synthesize over vendors', function () {
  this.timeout(60_000)
  let good: Uint8Array
  let silent: Uint8Array
  let eleven: TestVendor
  let own: TestVendor
  let servers: Running[]
  let gateway: TestGateway

  before(async function () {
    needsProgram(this, 'ffmpeg')
    needsProgram(this, 'bwrap')
    good = mp3(tone(44_100, 9_000))
    silent = mp3(tone(44_100, 0))
    ;[eleven, own] = [new TestVendor(good), new TestVendor(tone(24_000, 9_000), 'audio/wav')]
    servers = [await httpServer(eleven.answer), await httpServer(own.answer)]
    gateway = await startGateway({
      bundled: true,
      env: {
        ELEVENLABS_API_KEY: 'secret',
        CAPSTAN_VENDOR_ELEVENLABS_URL: servers[0]?.url ?? '',
        CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `${servers[1]?.url ?? ''}/v1`,
        CAPSTAN_WATERFALL_SPEECH_SYNTHESIZE: 'elevenlabs,openai-compatible',
      },
    })
  })
  beforeEach(() => {
    eleven.reply = { type: 'audio/mpeg', bytes: good }
    own.reply = { type: 'audio/wav', bytes: tone(24_000, 9_000) }
    for (const vendor of [eleven, own]) vendor.asked.length = 0
  })
  after(async () => {
    await gateway?.close()
    for (const server of servers ?? []) await server.close()
  })

  it('gives the MP3 of a vendor as it came, with its rate, for 2 credits', async () => {
    const { status, body } = await speak(gateway, { text: 'Good day, it is 9:30.' })
    expect(status, body.error?.detail).to.equal(200)
    const { audio_base64: sound, ...rest } = body.data ?? { audio_base64: '' }
    expect(rest).to.deep.equal({ format: 'mp3', sample_rate: 44_100, text: 'Good day, it is 9:30.', voice_model: 'eleven_multilingual_v2' })
    expect(Buffer.from(sound, 'base64').equals(good)).to.equal(true)
    expect([body.credits_used, body.metadata.provider_used]).to.deep.equal([2, 'elevenlabs'])
    expect(eleven.asked).to.deep.equal([
      {
        url: '/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM?output_format=mp3_44100_128',
        body: {
          text: 'Good day, it is 9:30.',
          model_id: 'eleven_multilingual_v2',
          voice_settings: { stability: 0.5, similarity_boost: 0.75 },
        },
      },
    ])
    expect(own.asked).to.deep.equal([])
  })

  it('hands over how even and how close the voice is to be, and null as the default', async () => {
    await speak(gateway, { text: 'Hello.', stability: 1, similarity_boost: 0, voice_id: null, voice_model: null, provider: null })
    expect(eleven.asked[0]?.body.voice_settings).to.deep.equal({ stability: 1, similarity_boost: 0 })
  })

  it('gives a short WAV of a server of the operator as it came, and makes MP3 of a long one, with the rate that it has', async () => {
    const { body } = await speak(gateway, { text: 'Hello.', provider: 'openai' })
    expect(body.data).to.deep.include({ format: 'wav', sample_rate: 24_000, voice_model: 'gpt-4o-mini-tts' })
    expect(soundOf(body).equals(own.reply.bytes)).to.equal(true)
    expect(own.asked[0]).to.deep.equal({
      url: '/v1/audio/speech',
      body: { model: 'gpt-4o-mini-tts', input: 'Hello.', voice: 'alloy', response_format: 'wav' },
    })
    own.reply = { type: 'audio/wav', bytes: tone(24_000, 9_000, 15) }
    const long = await speak(gateway, { text: 'Hello.', provider: 'openai-compatible' })
    expect(long.body.data).to.deep.include({ format: 'mp3', sample_rate: 24_000 })
    expect(readMp3(soundOf(long.body))?.seconds).to.be.closeTo(15, 0.2)
    expect(eleven.asked).to.deep.equal([])
  })

  for (const [what, reply] of [
    ['silent', () => ({ type: 'audio/mpeg', bytes: silent })],
    ['empty', () => ({ type: 'audio/mpeg', bytes: new Uint8Array() })],
    ['too short to be a word', () => ({ type: 'audio/wav', bytes: writeWav({ rate: 8_000, samples: new Int16Array(80).fill(9_000) }) })],
    ['a page', () => ({ type: 'audio/mpeg', bytes: Buffer.from('<!doctype html><html><body>Sorry</body></html>') })],
    ['noise that is no sound file', () => ({ type: 'audio/mpeg', bytes: Buffer.alloc(5_000, 7) })],
    ['cut short', () => ({ type: 'audio/wav', bytes: tone(44_100, 9_000).subarray(0, 30_000) })],
  ] as const)
    it(`asks the next vendor when the sound is ${what}, and charges once`, async () => {
      eleven.reply = reply()
      const { status, body } = await speak(gateway, { text: 'Hello.' })
      expect([status, body.credits_used, body.metadata.provider_used], body.error?.detail).to.deep.equal([200, 2, 'openai-compatible'])
      expect(outcomes(body)).to.deep.equal(['elevenlabs broken', 'openai-compatible ok'])
      await gateway.admin('POST', '/admin/v1/providers/speech.synthesize/elevenlabs/resume')
    })

  it('is free when every vendor fails', async () => {
    eleven.reply = { type: 'audio/mpeg', bytes: silent }
    own.reply = { type: 'audio/wav', bytes: tone(24_000, 0) }
    const before = await gateway.money()
    const { status, body } = await speak(gateway, { text: 'Hello.' })
    expect([status, body.error?.type, body.credits_used]).to.deep.equal([502, `${gateway.url}/errors/providers-failed`, 0])
    expect(await gateway.money()).to.deep.equal(before)
    for (const id of ['elevenlabs', 'openai-compatible']) await gateway.admin('POST', `/admin/v1/providers/speech.synthesize/${id}/resume`)
  })

  it('asks only vendors that have the voice', async () => {
    const nova = await speak(gateway, { text: 'Hello.', voice_id: 'nova', voice_model: 'tts-1' })
    expect(outcomes(nova.body)).to.deep.equal(['elevenlabs skipped', 'openai-compatible ok'])
    expect(own.asked[0]?.body).to.deep.include({ voice: 'nova', model: 'tts-1' })
    const other = await speak(gateway, { text: 'Hello.', voice_id: 'EXAVITQu4vr4xnSDxMaL' })
    expect(outcomes(other.body)).to.deep.equal(['elevenlabs ok'])
    expect(eleven.asked[0]?.url).to.contain('/EXAVITQu4vr4xnSDxMaL?')
  })

  for (const [params, loc, ...phrases] of [
    [{ provider: 'nobody' }, 'body.provider', '"nobody"', 'elevenlabs, openai-compatible'],
    [{ provider: 'cartesia' }, 'body.provider', 'elevenlabs'],
    [{ voice_id: 'aura-2-thalia-en' }, 'body.voice_id', 'deepgram', 'elevenlabs takes', 'GET /v1/speech/voices'],
    [{ voice_model: 'sonic-3' }, 'body.voice_model', 'cartesia', 'openai-compatible takes'],
    [{ provider: 'elevenlabs', voice_id: 'nova' }, 'body.voice_id', 'elevenlabs', '20 letters'],
    [{ text: 'x'.repeat(2_001) }, 'body.text', '2000'],
    [{ text: '' }, 'body.text'],
    [{ text: ' \n\t ' }, 'body.text', 'must contain a letter or a digit'],
    [{ text: '😀👍🏽 …!?' }, 'body.text', 'must contain a letter or a digit'],
    [{ text: '\u0000\u0007' }, 'body.text', 'must contain a letter or a digit'],
    [{ stability: 1.1 }, 'body.stability'],
    [{ similarity_boost: -0.1 }, 'body.similarity_boost'],
    [{ speed: 2 }, 'body.speed'],
  ] as const)
    it(`refuses ${JSON.stringify(params).slice(0, 60)} at ${loc}, free and before any vendor is asked`, async () => {
      const { status, body } = await speak(gateway, { text: 'Hello.', ...params })
      expect([status, body.error?.type, locs(body), body.credits_used], body.error?.detail).to.deep.equal([
        422,
        `${gateway.url}/errors/validation-failed`,
        [loc],
        0,
      ])
      for (const phrase of phrases) expect(JSON.stringify(body.detail)).to.contain(phrase.replaceAll('"', '\\"'))
      expect([eleven.asked, own.asked]).to.deep.equal([[], []])
    })

  it('takes two thousand characters, counted as people do, and gives the text back as it was', async () => {
    const text = `${'😀'.repeat(1_990)} good day.`
    const { status, body } = await speak(gateway, { text })
    expect([status, body.data?.text === text]).to.deep.equal([200, true])
  })

  it('takes letters that become several when they are put into one form', async () => {
    const { status } = await speak(gateway, { text: '\u0958'.repeat(2_000) })
    expect([status, Array.from(String(eleven.asked[0]?.body.text)).length]).to.deep.equal([200, 4_000])
  })

  it('hands over no control characters, and nothing that the vendor would obey as a tag', async () => {
    await speak(gateway, { text: 'One\u0000two\u001b[2J <break time="9s"/>\r\nthree' })
    expect(eleven.asked[0]?.body.text).to.equal('One two [2J < break time="9s"/>\nthree')
  })

  it('lists voices that can be named now, by language and vendor', async () => {
    const all = (await gateway.get('/v1/speech/voices')).json<Listed>()
    expect([...new Set(all.voices.map(({ provider }) => provider))].slice(0, 2)).to.deep.equal(['elevenlabs', 'openai-compatible'])
    expect(all.count).to.equal(all.voices.length)
    const some = (await gateway.get('/v1/speech/voices?language=de&provider=openai-compatible')).json<Listed>()
    expect(some.voices[0]).to.deep.include({ provider: 'openai-compatible', voice_id: 'alloy', languages: [] })
    const none = await gateway.get('/v1/speech/voices?provider=nobody')
    expect([none.status, locs(none.json<Answer>())]).to.deep.equal([422, ['query.provider']])
  })
})

describe('speech.synthesize on this machine', function () {
  this.timeout(120_000)
  let gateway: TestGateway

  before(async function () {
    needsProgram(this, 'espeak-ng')
    needsProgram(this, 'bwrap')
    gateway = await startGateway({ bundled: true })
  })
  after(async () => await gateway?.close())

  it('speaks by eSpeak NG in the language of the text, as WAV while it is short', async () => {
    for (const [text, voice] of [
      ['Good day. The meeting starts at nine.', 'en-us'],
      ['Guten Tag. Die Sitzung beginnt um neun.', 'de'],
      ['Добрый день.', 'ru'],
      ['你好。', 'cmn'],
    ] as const) {
      const { status, body } = await speak(gateway, { text, provider: 'espeak-ng' })
      expect(status, body.error?.detail).to.equal(200)
      expect(body.data, text).to.deep.include({ format: 'wav', sample_rate: 22_050, voice_model: voice })
      expect(secondsOf(body), text).to.be.within(0.3, 6)
    }
  })

  it('speaks with the voice that was named, and says what that one is', async () => {
    const { body } = await speak(gateway, { text: 'Guten Tag.', voice_id: 'EN-GB+f3' })
    expect([body.data?.voice_model, body.metadata.provider_used]).to.deep.equal(['en-gb+f3', 'espeak-ng'])
    const unknown = await speak(gateway, { text: 'Guten Tag.', provider: 'espeak-ng', voice_id: 'xx-yy' })
    expect([unknown.status, locs(unknown.body)]).to.deep.equal([422, ['body.voice_id']])
  })

  it('speaks markup, options, phonemes and two thousand characters as text', async () => {
    const plain = await speak(gateway, { text: 'Hello.', provider: 'espeak-ng' })
    const least = secondsOf(plain.body)
    expect(least).to.be.above(0)
    for (const text of [
      '<speak><prosody rate="x-slow">Hello.</prosody></speak>',
      '--stdout -v de',
      '[[h@l@U]] there',
      "'; rm -rf / #",
      'word '.repeat(400).trim(),
    ]) {
      const { status, body } = await speak(gateway, { text, provider: 'espeak-ng' })
      expect(status, `${text.slice(0, 20)} ${body.error?.detail ?? ''}`).to.equal(200)
      expect(body.data?.text).to.equal(text)
      expect(secondsOf(body), text.slice(0, 20)).to.be.above(least)
    }
  })

  it('lists the voices of eSpeak NG by language', async () => {
    const { voices } = (await gateway.get('/v1/speech/voices?language=pt&provider=espeak-ng')).json<Listed>()
    expect(voices.map(({ voice_id: id }) => id)).to.deep.equal(['pt', 'pt-br'])
    const brazil = (await gateway.get('/v1/speech/voices?language=pt-BR&provider=espeak-ng')).json<Listed>()
    expect(brazil.voices.map(({ voice_id: id }) => id)).to.deep.equal(['pt-br'])
  })

  it('lists only voices that the program has', async () => {
    const { stdout } = spawnSync('espeak-ng', ['--voices'], { encoding: 'utf8' })
    const known = new Set(stdout.split('\n').slice(1).map((line) => line.trim().split(/\s+/)[1])) // prettier-ignore
    const { voices } = (await gateway.get('/v1/speech/voices?provider=espeak-ng')).json<Listed>()
    expect(voices.length).to.be.at.least(100)
    expect(voices.filter(({ voice_id: id }) => !known.has(id))).to.deep.equal([])
  })

  it('gives two thousand characters as MP3, and as WAV where there is no ffmpeg', async function () {
    needsProgram(this, 'ffmpeg')
    const text = 'word '.repeat(400).trim()
    const { body } = await speak(gateway, { text, provider: 'espeak-ng' })
    expect(body.data).to.deep.include({ format: 'mp3', sample_rate: 22_050 })
    expect(secondsOf(body)).to.be.above(60)
    const bare = await startGateway({ bundled: true, env: { CAPSTAN_WATERFALL_MEDIA_CONVERT: '-ffmpeg' } })
    try {
      const plain = await speak(bare, { text, provider: 'espeak-ng' })
      expect(plain.body.data).to.deep.include({ format: 'wav', sample_rate: 22_050 })
      expect(readWav(soundOf(plain.body))).to.deep.include({ rate: 22_050, channels: 1, sized: true })
    } finally {
      await bare.close()
    }
  })

  it('speaks English with the neural voice before eSpeak NG, and leaves other languages to that', async function () {
    const { voices } = (await gateway.get('/v1/speech/voices')).json<Listed>()
    if (!voices.some(({ provider }) => provider === 'voice')) skip(this, 'the pack voice is not installed (npm run tools -- voice)')
    const { body } = await speak(gateway, { text: 'Good day. It costs $5.' })
    expect([body.metadata.provider_used, body.data?.voice_model, body.data?.sample_rate]).to.deep.equal([
      'voice',
      'en_US-joe-medium',
      22_050,
    ])
    expect(secondsOf(body)).to.be.within(1, 8)
    const german = await speak(gateway, { text: 'Guten Tag. Es kostet nicht viel.' })
    expect(german.body.metadata.provider_used).to.equal('espeak-ng')
    const asked = await speak(gateway, { text: 'Guten Tag. Es kostet nicht viel.', provider: 'voice' })
    expect([asked.status, locs(asked.body)]).to.deep.equal([422, ['body.provider']])
  })
})
