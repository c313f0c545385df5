import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { patched } from '../../test/support/hostile-media/bytes.js'
import { soundWav } from '../../test/support/hostile-media/riff.js'
import { skip } from '../../test/support/needs.js'
import { deepgramReply, speaking, TranscriptionStage } from '../../test/support/transcription.js'
import { samplesAt } from './wav.js'

const SPEECH = '/v1/speech/transcribe'
const AUDIO = '/v1/audio/transcribe'
const HELLO = deepgramReply([
  ['Hello', 0.1, 0.4, 0],
  ['there.', 0.5, 0.9, 0],
  ['Hi.', 1, 1.25, 1],
])
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=300']
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5']

describe('transcription', function () {
  this.timeout(60_000)
  let stage: TranscriptionStage
  let talk: string

  before(async function () {
    stage = await TranscriptionStage.open(this, { CAPSTAN_TRANSCRIPTION_AUDIO_SECONDS: '1300' })
    const filters = spawnSync('ffmpeg', ['-hide_banner', '-filters'], { encoding: 'utf8' }).stdout
    if (!/ flite /.test(filters)) skip(this, 'this ffmpeg has no synthesis of speech (flite)')
    talk = stage.made('talk.mp3', ...speaking('Good morning. Where were you yesterday when the train arrived'))
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.deepgram = () => HELLO
    stage.openai = () => ({ status: 500, json: {} })
  })

  it('gives the words with their times, for 2 credits', async () => {
    const { status, body } = await stage.post(SPEECH, { audio_url: talk })
    expect([status, body.credits_used, body.metadata.provider_used]).to.deep.equal([200, 2, 'deepgram'])
    const { duration_seconds: duration, ...data } = body.data ?? {}
    expect(duration).to.be.within(2, 6)
    expect(data).to.deep.equal({
      transcript: 'Hello there. Hi.',
      confidence: 0.9,
      language: 'en',
      words: [
        { word: 'hello', start: 0.1, end: 0.4, confidence: 0.9, punctuated_word: 'Hello' },
        { word: 'there', start: 0.5, end: 0.9, confidence: 0.9, punctuated_word: 'there.' },
        { word: 'hi', start: 1, end: 1.25, confidence: 0.9, punctuated_word: 'Hi.' },
      ],
    })
  })

  it('sends vendors one channel of 16,000 samples a second, and the language in their form', async () => {
    const { body } = await stage.post(SPEECH, { audio_url: talk, language: 'en_us' })
    const [asked] = stage.asked.deepgram
    expect(samplesAt(asked?.body ?? Buffer.alloc(0))).to.be.a('number')
    expect((asked?.body.length ?? 0) / 32_000).to.be.closeTo(Number(body.data?.['duration_seconds']), 0.01)
    expect(asked?.url.searchParams.get('language')).to.equal('en-US')
    expect(asked?.url.searchParams.has('diarize_model')).to.equal(false)
  })

  it('takes Base64 with line ends, and as a data: address', async () => {
    const base64 = stage.bytes('talk.mp3').toString('base64')
    const lines = base64.replace(/(.{76})/g, '$1\r\n')
    for (const given of [lines, `data:audio/mpeg;base64,${base64}`])
      expect((await stage.post(SPEECH, { audio_base64: given })).body.data).to.include({ transcript: 'Hello there. Hi.' })
  })

  for (const [what, params, field] of [
    ['both sources', { audio_url: 'https://example.com/a.mp3', audio_base64: 'AAAA' }, 'audio_base64'],
    ['no source', {}, 'audio_url'],
    ['broken Base64', { audio_base64: 'AAA*' }, 'audio_base64'],
    ['Base64 that is cut short', { audio_base64: 'AAAAA' }, 'audio_base64'],
    ['Base64 with padding inside', { audio_base64: 'AA==AAAA' }, 'audio_base64'],
    ['white space alone', { audio_base64: ' \r\n\t' }, 'audio_base64'],
    ['a data: address without content', { audio_base64: 'data:audio/mpeg;base64,' }, 'audio_base64'],
    ['a data: address without a comma', { audio_base64: 'data:audio/mpeg;base64' }, 'audio_base64'],
    ['a data: address that is not Base64', { audio_base64: 'data:text/plain,hello' }, 'audio_base64'],
    ['Base64 of what is no recording', { audio_base64: Buffer.from('hello, hello').toString('base64') }, 'audio_base64'],
    ['an unknown language', { audio_url: 'https://example.com/a.mp3', language: 'xx' }, 'language'],
    ['an address that is none', { audio_url: 'a.mp3' }, 'audio_url'],
  ] as const)
    it(`is 422 at ${field} for ${what}`, async () => {
      const { status, body } = await stage.post(SPEECH, params)
      expect([status, body.credits_used]).to.deep.equal([422, 0])
      expect(body.detail?.map(({ loc }) => loc)).to.deep.equal([['body', field]])
    })

  it('takes the sound out of a film, and says so when there is none', async () => {
    const film = stage.made('film.mp4', ...PICTURE, ...TONE, '-t', '2')
    expect((await stage.post(AUDIO, { audio_url: film })).status).to.equal(200)
    const silent = stage.made('mute.mp4', ...PICTURE, '-t', '1')
    const { status, body } = await stage.post(AUDIO, { audio_url: silent })
    expect([status, body.detail?.[0]?.loc]).to.deep.equal([422, ['body', 'audio_url']])
    expect(body.detail?.[0]?.msg).to.contain('no sound')
  })

  it('refuses what is longer than may be, and names the setting', async () => {
    const long = stage.made('long.flac', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '1301')
    const { status, body } = await stage.post(SPEECH, { audio_url: long })
    expect([status, body.detail?.[0]?.loc]).to.deep.equal([422, ['body', 'audio_url']])
    expect(body.detail?.[0]?.msg).to.contain('1300 seconds').and.contain('CAPSTAN_TRANSCRIPTION_AUDIO_SECONDS')
    expect(stage.asked.deepgram).to.have.length(0)
  })

  it('refuses what is longer than may be when its header does not say so', async () => {
    stage.made('unsaid.flac', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '1301')
    // RFC 9639, 8.2: the number of samples is the 36 bits from the middle of byte 21; 0 means unknown.
    const flac = stage.bytes('unsaid.flac')
    const url = stage.serve('unsaid.flac', patched(flac, 21, Uint8Array.of((flac[21] ?? 0) & 0xf0, 0, 0, 0, 0)))
    const { status, body } = await stage.post(SPEECH, { audio_url: url })
    expect([status, body.credits_used, body.detail?.[0]?.loc]).to.deep.equal([422, 0, ['body', 'audio_url']])
    expect(body.detail?.[0]?.msg).to.contain('1300 seconds')
    expect(stage.asked.deepgram).to.have.length(0)
  })

  it('refuses sound of fewer samples a second than speech needs, of which 2 kB would last for 20 minutes', async () => {
    const url = stage.serve('slow.wav', soundWav({ rate: 1, samples: Buffer.alloc(2 * 1_200, 40) }))
    const { status, body } = await stage.post(SPEECH, { audio_url: url })
    expect([status, body.credits_used, body.detail?.[0]?.loc]).to.deep.equal([422, 0, ['body', 'audio_url']])
    expect(body.detail?.[0]?.msg).to.contain('1 samples a second').and.contain('4000')
    expect(stage.asked.deepgram).to.have.length(0)
  })

  it('takes sound of 4,000 samples a second', async () => {
    const { status } = await stage.post(SPEECH, { audio_url: stage.made('narrow.wav', ...TONE, '-ar', '4000', '-t', '2') })
    expect([status, stage.asked.deepgram.length]).to.deep.equal([200, 1])
  })

  it('ends with no-result for silence, without asking a vendor', async () => {
    const silence = stage.made('silence.wav', '-f', 'lavfi', '-i', 'anullsrc', '-t', '3')
    const { status, body } = await stage.post(SPEECH, { audio_url: silence })
    expect([status, body.error?.type.split('/').at(-1), body.credits_used]).to.deep.equal([422, 'no-result', 0])
    expect([stage.asked.deepgram.length, stage.asked.openai.length]).to.deep.equal([0, 0])
  })

  for (const [what, args] of [
    ['noise', ['-f', 'lavfi', '-i', 'anoisesrc=amplitude=0.3:seed=1']],
    ['a tone', TONE],
  ] as const)
    it(`asks nobody who might make words up after a vendor found none in ${what}`, async () => {
      stage.deepgram = () => deepgramReply([])
      stage.openai = () => ({ json: { text: 'Thank you for watching.' } })
      const { status, body } = await stage.post(SPEECH, { audio_url: stage.made('nothing.wav', ...args, '-t', '3') })
      expect([status, body.error?.type.split('/').at(-1), body.credits_used]).to.deep.equal([422, 'no-result', 0])
      expect([stage.asked.deepgram.length, stage.asked.openai.length]).to.deep.equal([1, 0])
    })

  it('asks the next vendor when one fails, or hears nothing where there is a voice', async () => {
    stage.openai = () => ({ json: { text: 'Good morning.', language: 'english', segments: [{ start: 0, end: 1, text: 'Good morning.', avg_logprob: 0, no_speech_prob: 0 }] } }) // prettier-ignore
    for (const deepgram of [{ status: 500, json: {} }, deepgramReply([])]) {
      stage.deepgram = () => deepgram
      const { body } = await stage.post(SPEECH, { audio_url: talk })
      expect(body.data).to.include({ transcript: 'Good morning.', language: 'en', confidence: 1 })
      expect(body.metadata.provider_used).to.equal('openai-compatible')
    }
  })

  it('cuts what is too long for a vendor at pauses and joins what comes of it', async () => {
    stage.deepgram = () => ({ status: 503, json: {} })
    stage.openai = ({ body }) => {
      const seconds = Math.round(body.length / 32_000)
      return { json: { text: `part of ${seconds} seconds.`, language: 'english', words: ['part', 'of', String(seconds), 'seconds'].map((word, at) => ({ word, start: at + 1, end: at + 1.5 })) } } // prettier-ignore
    }
    const long = stage.made('lecture.flac', '-f', 'lavfi', '-i', "sine=frequency=300:sample_rate=8000,volume='lt(mod(t,100),97)':eval=frame", '-t', '1000') // prettier-ignore
    const { status, body } = await stage.post(SPEECH, { audio_url: long })
    expect(status, JSON.stringify(body.error)).to.equal(200)
    expect(stage.asked.openai).to.have.length(2)
    const words = body.data?.['words'] as { start: number; word: string }[]
    const cut = (words[4]?.start ?? 0) - 1
    expect(cut % 100, 'cut in a pause').to.be.within(97, 100)
    expect(words.map(({ start }) => Math.round((start - (start > cut ? cut : 0)) * 10) / 10)).to.deep.equal([1, 2, 3, 4, 1, 2, 3, 4])
    const lengths = stage.asked.openai.map((asked) => asked.body.length / 32_000).sort((one, other) => one - other)
    expect(lengths).to.deep.equal(
      [cut, 1_000 - cut].sort((one, other) => one - other).map((length) => lengths.find((each) => Math.abs(each - length) < 0.1)),
    )
  })

  it('gives utterances of speakers, for 3 credits', async () => {
    const { status, body } = await stage.post(AUDIO, { audio_url: talk })
    expect([status, body.credits_used, body.metadata.provider_used]).to.deep.equal([200, 3, 'deepgram'])
    const { duration_seconds: duration, ...data } = body.data ?? {}
    expect(duration).to.be.within(2, 6)
    expect(data).to.deep.equal({
      ...{ transcript: 'Hello there. Hi.', confidence: 0.9, language: 'en', word_count: 3, speaker_count: 2 },
      utterances: [
        { speaker: 0, text: 'Hello there.', start: 0.1, end: 0.9, confidence: 0.9 },
        { speaker: 1, text: 'Hi.', start: 1, end: 1.25, confidence: 0.9 },
      ],
    })
    expect(body.metadata.notes ?? []).to.deep.equal([])
  })

  it('has one speaker without labels, and says so where a vendor cannot tell them apart', async () => {
    const plain = await stage.post(AUDIO, { audio_url: talk, speaker_labels: false })
    expect(plain.body.data).to.deep.include({ speaker_count: 1 })
    expect(plain.body.metadata.notes ?? []).to.deep.equal([])
    stage.deepgram = () => deepgramReply([['Hello', 0.1, 0.4, null]])
    const asked = await stage.post(AUDIO, { audio_url: talk })
    expect(asked.body.data).to.deep.include({ speaker_count: 1 })
    expect(asked.body.metadata.notes).to.deep.equal(['speakers not separated'])
  })

  it('charges nothing when all vendors fail', async () => {
    stage.deepgram = () => ({ status: 500, json: {} })
    const { status, body } = await stage.post(AUDIO, { audio_url: talk })
    expect([status, body.credits_used]).to.deep.equal([502, 0])
  })
})
