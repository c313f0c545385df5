import { expect } from 'chai'
import { findProgram } from '../../core/exec/programs.js'
import { needsProgram, skip } from '../../test/support/needs.js'
import { readSrt } from '../../test/support/subtitles.js'
import { speaking, TranscriptionStage } from '../../test/support/transcription.js'
import type { SpokenWord } from './contract.js'
import { windowsOf } from './speakers.js'

const FIRST = 'Good evening and welcome to the programme. Tonight we talk about the new railway across the mountains.'
const SECOND = 'Thank you very much for having me. It has been a long way, as you can imagine. Ten years of work went into these pages.'

/** Word error rate: substitutions, insertions and deletions divided by the words of the reference. */
function errorRate(reference: string, transcript: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? []
  const [one, other] = [words(reference), words(transcript)]
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  one.forEach((word, at) => {
    const next = [at + 1]
    other.forEach((another, to) =>
      next.push(Math.min((row[to] ?? 0) + (word === another ? 0 : 1), (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1)),
    )
    row = next
  })
  return (row.at(-1) ?? 0) / one.length
}

describe('windows of a voice', () => {
  const word = (start: number, end: number): SpokenWord => ({ text: 'a', start, end, confidence: null, speaker: null })

  it('lie in stretches of speech, 0.4 s apart, and in the middle of a short one', () => {
    expect(windowsOf([word(1, 2), word(2.1, 3.4), word(6, 6.4)], 10)).to.deep.equal([1, 1.4, 1.8, 5.4])
    expect(windowsOf([word(0, 0.3)], 1)).to.deep.equal([0])
    expect(windowsOf([], 5)).to.deep.equal([])
  })

  it('are at most 2,500 of a recording of any length', () => {
    expect(windowsOf([word(0, 14_000)], 14_400).length).to.be.within(2_400, 2_501)
  })
})

describe('transcription on this machine', function () {
  this.timeout(180_000)
  let stage: TranscriptionStage

  before(async function () {
    for (const pack of ['whisper', 'speakers'])
      if (findProgram(pack, undefined) === undefined) skip(this, `the engine pack ${pack} is not installed: npm run tools -- ${pack}`)
    const only = ['SPEECH_TRANSCRIBE', 'AUDIO_TRANSCRIBE', 'SUBTITLES_GENERATE'].map(
      (port) => [`CAPSTAN_WATERFALL_${port}`, 'whisper'] as const,
    )
    stage = await TranscriptionStage.open(this, Object.fromEntries(only))
    stage.made('talk.wav', ...speaking(FIRST))
  })
  after(() => stage?.close())

  it('writes down English with few errors', async () => {
    const { status, body } = await stage.post('/v1/speech/transcribe', { audio_url: `${stage.site}/talk.wav` })
    expect([status, body.metadata.provider_used], JSON.stringify(body.error)).to.deep.equal([200, 'whisper'])
    expect(errorRate(FIRST, String(body.data?.['transcript']))).to.be.at.most(0.15)
    const words = body.data?.['words'] as { start: number; end: number; confidence: number }[]
    words.forEach(({ start, end }, at) => {
      expect(end).to.be.at.least(start)
      expect(start).to.be.at.least(words[at - 1]?.start ?? 0)
    })
    expect(Number(body.data?.['confidence'])).to.be.within(0.5, 1)
  })

  it('finds out the language', async () => {
    const { body } = await stage.post('/v1/speech/transcribe', { audio_url: `${stage.site}/talk.wav`, language: 'auto' })
    expect(body.data).to.include({ language: 'en' })
  })

  it('tells two voices apart', async () => {
    stage.made('second.wav', '-f', 'lavfi', '-i', `flite=text='${SECOND}':voice=rms`)
    const both = stage.made('both.wav', '-i', 'talk.wav', '-i', 'second.wav', '-filter_complex', '[0]aresample=16000[a];[1]aresample=16000[b];[a][b]concat=n=2:v=0:a=1') // prettier-ignore
    const { status, body } = await stage.post('/v1/audio/transcribe', { audio_url: both })
    expect(status, JSON.stringify(body.error)).to.equal(200)
    expect(body.metadata.notes ?? []).to.deep.equal([])
    expect(body.data).to.include({ speaker_count: 2 })
    const turns = body.data?.['utterances'] as { speaker: number; text: string }[]
    const of = (wanted: number): string => turns.filter(({ speaker }) => speaker === wanted).map(({ text }) => text).join(' ') // prettier-ignore
    expect(errorRate(FIRST, of(0))).to.be.at.most(0.25)
    expect(errorRate(SECOND, of(1))).to.be.at.most(0.25)
  })

  it('makes subtitles', async () => {
    const { body } = await stage.post('/v1/subtitles/generate', { audio_url: `${stage.site}/talk.wav` })
    const cues = readSrt(String(body.data?.['subtitle_content']))
    expect(errorRate(FIRST, cues.flatMap(({ lines }) => lines).join(' '))).to.be.at.most(0.15)
    expect(cues[0]?.start).to.be.at.most(300)
  })

  for (const [what, args] of [
    ['noise', ['-f', 'lavfi', '-i', 'anoisesrc=color=pink:amplitude=0.3:seed=3']],
    ['notes', ['-f', 'lavfi', '-i', 'aevalsrc=0.3*exp(-3*mod(t\\,0.5))*sin(2*PI*t*(220*pow(2\\,mod(floor(t*2)*7\\,12)/12)))']],
    ['silence', ['-f', 'lavfi', '-i', 'anullsrc']],
  ] as const)
    it(`makes no words up for ${what}`, async () => {
      const { status, body } = await stage.post('/v1/speech/transcribe', { audio_url: stage.made(`${what}.wav`, ...args, '-t', '6') })
      expect([status, body.error?.type.split('/').at(-1), body.credits_used]).to.deep.equal([422, 'no-result', 0])
    })
})

describe('transcription by pocketsphinx', function () {
  this.timeout(120_000)
  let stage: TranscriptionStage

  before(async function () {
    needsProgram(this, 'pocketsphinx_continuous')
    stage = await TranscriptionStage.open(this, { CAPSTAN_WATERFALL_SPEECH_TRANSCRIBE: 'pocketsphinx' })
  })
  after(() => stage?.close())

  it('gives words of clear English, or no-result where it is not sure', async () => {
    const { status, body } = await stage.post('/v1/speech/transcribe', {
      audio_url: stage.made('clear.wav', ...speaking('one two three four five')),
    })
    expect(status).to.be.oneOf([200, 422])
    if (status === 422) expect(body.error?.type).to.match(/no-result$/)
    else expect(Number(body.data?.['confidence'])).to.be.at.least(0.6)
  })
})
