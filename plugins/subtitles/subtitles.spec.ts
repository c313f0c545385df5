import { expect } from 'chai'
import { faultsOf, readSrt, readVtt } from '../../test/support/subtitles.js'
import { deepgramReply, TranscriptionStage } from '../../test/support/transcription.js'

const PATH = '/v1/subtitles/generate'
const WORDS = [
  ['Where', 0.3, 0.6, 0],
  ['were', 0.6, 0.8, 0],
  ['you', 0.8, 1, 0],
  ['yesterday?', 1, 1.7, 0],
  ['At', 1.75, 1.9, 1],
  ['the', 1.9, 2, 1],
  ['station.', 2, 2.3, 1],
] as const

describe('subtitles.generate', function () {
  this.timeout(60_000)
  let stage: TranscriptionStage
  let url: string

  before(async function () {
    stage = await TranscriptionStage.open(this)
    url = stage.made('film.mp4', '-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5', '-f', 'lavfi', '-i', 'sine=frequency=300', '-t', '4')
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.deepgram = () => deepgramReply(WORDS)
  })

  it('makes a file of SubRip of what a vendor heard, for 2 credits', async () => {
    const { status, body } = await stage.post(PATH, { audio_url: url })
    expect([status, body.credits_used, body.metadata.provider_used]).to.deep.equal([200, 2, 'deepgram'])
    const { duration_seconds: duration, ...data } = body.data ?? {}
    expect(duration).to.be.closeTo(4, 0.1)
    expect(data).to.deep.equal({
      subtitle_content: '1\n00:00:00,300 --> 00:00:02,500\n- Where were you yesterday?\n- At the station.\n',
      format: 'srt',
      language: 'en',
      utterance_count: 1,
    })
  })

  it('makes WebVTT of the same', async () => {
    const [srt, vtt] = [await stage.post(PATH, { audio_url: url }), await stage.post(PATH, { audio_url: url, format: 'vtt' })]
    const read = readVtt(String(vtt.body.data?.['subtitle_content']))
    expect(read).to.deep.equal(readSrt(String(srt.body.data?.['subtitle_content'])))
    expect(
      faultsOf(
        read,
        WORDS.map(([text, start, end, speaker]) => ({ text, start, end, speaker })),
      ),
    ).to.deep.equal([])
  })

  it('asks vendors for speakers', async () => {
    await stage.post(PATH, { audio_url: url })
    expect(stage.asked.deepgram[0]?.url.searchParams.get('diarize_model')).to.equal('latest')
  })

  it('names subtitles that cannot stay as long as their text needs', async () => {
    stage.deepgram = () =>
      deepgramReply(Array.from({ length: 40 }, (_, at) => ['remarkable', 0.1 + at * 0.09, 0.18 + at * 0.09, null] as const))
    const { body } = await stage.post(PATH, { audio_url: url })
    expect(body.metadata.notes?.join()).to.match(/of \d+ subtitles are on screen for less time than their text needs/)
  })

  it('is no-result and free where nobody speaks, and where a vendor gives no times', async () => {
    stage.deepgram = () => deepgramReply([])
    expect((await stage.post(PATH, { audio_url: url })).body).to.deep.include({ data: null, credits_used: 0 })
    const silence = stage.made('silence.wav', '-f', 'lavfi', '-i', 'anullsrc', '-t', '2')
    const { status, body } = await stage.post(PATH, { audio_url: silence })
    expect([status, body.error?.type.split('/').at(-1), body.credits_used]).to.deep.equal([422, 'no-result', 0])
  })

  for (const [what, params, field] of [
    ['an unknown format', { audio_url: 'https://example.com/a.mp3', format: 'ass' }, 'format'],
    ['an unknown language', { audio_url: 'https://example.com/a.mp3', language: 'zz' }, 'language'],
    ['no source', {}, 'audio_url'],
  ] as const)
    it(`is 422 at ${field} for ${what}`, async () => {
      const { status, body } = await stage.post(PATH, params)
      expect([status, body.detail?.map(({ loc }) => loc)]).to.deep.equal([422, [['body', field]]])
    })
})
