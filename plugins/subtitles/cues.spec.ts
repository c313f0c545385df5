import { expect } from 'chai'
import fc from 'fast-check'
import type { SpokenWord } from '../transcription/contract.js'
import { faultsOf, readSrt, readVtt } from '../../test/support/subtitles.js'
import { leastCpuOf } from '../../test/support/time.js'
import { cuesOf } from './cues.js'
import { srt, vtt } from './work/file.js'

const RUNS = Number(process.env['CAPSTAN_PROPERTY_RUNS'] ?? 150)

/** Consecutive words, `pace` milliseconds per character, with a pause after each sentence. */
function spoken(text: string, { pace = 60, speakers = [] as readonly (number | null)[], pause = 300 } = {}): SpokenWord[] {
  let at = 500
  return text.split(' ').map((word, index) => {
    const [start, end] = [at, at + (word.length + 1) * pace]
    at = end + (/[.!?]$/.test(word) ? pause : 0)
    return { text: word, start: start / 1000, end: (end - 20) / 1000, confidence: 0.9, speaker: speakers[index] ?? null }
  })
}

const made = (words: readonly SpokenWord[], language: string | null = 'en') => {
  const duration = (words.at(-1)?.end ?? 0) + 2
  const { cues, hurried } = cuesOf(words, { language, duration })
  return { cues, hurried, file: srt(cues), read: readSrt(srt(cues)) }
}

const TALK =
  'When the first passengers arrived at the station, nobody had thought of opening the doors of the waiting room. ' +
  'It was a cold morning in the middle of November, and the wind came over the hills from the north. ' +
  'Some of them went for a walk along the river. Others stayed, because they had been told that the train would come at any moment.'

describe('subtitles', function () {
  this.timeout(60_000)

  it('of a talk keep every rule, and no line ends with an article or preposition', () => {
    const words = spoken(TALK)
    const { read } = made(words)
    expect(faultsOf(read, words, { english: true })).to.deep.equal([])
    expect(read.map(({ lines }) => lines.join(' / '))).to.have.length.within(6, 9)
  })

  it('end with the sentence where there is room for it', () => {
    const { read } = made(spoken('The doors were open. Nobody went in, for it was late. We left.', { pause: 1_200 }))
    expect(read.map(({ lines }) => lines)).to.deep.equal([['The doors were open.'], ['Nobody went in, for it was late.'], ['We left.']])
  })

  it('have two lines of about the same length, broken at a phrase', () => {
    const { read } = made(spoken('The committee of the village decided on Monday to build a new bridge.'))
    expect(read.map(({ lines }) => lines)).to.deep.equal([['The committee of the village decided', 'on Monday to build a new bridge.']])
  })

  it('have a dash where another speaker begins, and at both lines when two speak', () => {
    const words = spoken('Are you coming? No. I have to work until nine in the evening.', {
      speakers: [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      pause: 50,
    })
    const { read } = made(words)
    expect(faultsOf(read, words)).to.deep.equal([])
    expect(read[0]?.lines).to.deep.equal(['- Are you coming?', '- No.'])
    const later = spoken('We met on the bridge that morning. Why did you go there alone?', {
      speakers: [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
      pause: 2_000,
    })
    expect(made(later).read.map(({ lines }) => lines)).to.deep.equal([
      ['We met on the bridge that morning.'],
      ['- Why did you go there alone?'],
    ])
  })

  it('have no dash where speakers are not distinguished', () => {
    expect(made(spoken('Are you coming? No.')).file).not.to.contain('- ')
  })

  it('stay on screen as long as their text needs, though not into the next one', () => {
    const words: SpokenWord[] = [
      { text: 'Yes.', start: 1, end: 1.2, confidence: null, speaker: null },
      { text: 'Perhaps.', start: 4, end: 4.4, confidence: null, speaker: null },
    ]
    const { read, hurried } = made(words)
    expect(read.map(({ start, end }) => [start, end])).to.deep.equal([
      [1_000, 1_834],
      [4_000, 4_834],
    ])
    expect(hurried).to.equal(0)
  })

  it('of speech that is too fast still follow each other, and are counted', () => {
    const words = spoken(TALK, { pace: 25, pause: 0 })
    const { read, hurried } = made(words)
    expect(faultsOf(read, words, { english: true, fast: true })).to.deep.equal([])
    expect(hurried).to.be.greaterThan(2)
  })

  it('of Chinese are broken between words and have no spaces', () => {
    const text = '今天早上我们在车站等了很久，但是火车没有来。后来我们决定走路回家，因为天气很好，而且路也不远。'
    const words: SpokenWord[] = [{ text, start: 0, end: 12, confidence: null, speaker: null }]
    const { read } = made(words, 'zh')
    expect(faultsOf(read, words).filter((fault) => !fault.includes('begins away'))).to.deep.equal([])
    expect(read.flatMap(({ lines }) => lines).join('')).to.equal(text)
  })

  it('of Arabic keep their words and order', () => {
    const words = spoken('هذا هو أول اجتماع لنا في هذا العام. سنتحدث عن المشروع الجديد وعن كل ما يتعلق به من تفاصيل.')
    const { read } = made(words, 'ar')
    expect(faultsOf(read, words)).to.deep.equal([])
    expect(read.flatMap(({ lines }) => lines.join(' ')).join(' ')).to.equal(words.map(({ text }) => text).join(' '))
  })

  it('take words apart that are longer than a line', () => {
    const words: SpokenWord[] = [{ text: `https://example.com/${'a'.repeat(100)}`, start: 0, end: 9, confidence: null, speaker: null }]
    const { read } = made(words)
    expect(faultsOf(read, words).filter((fault) => !fault.includes('begins away'))).to.deep.equal([])
  })

  it('are files to the letter, whatever the words are made of', () => {
    const words = spoken('a<b> &amp; R&D --> done\u0000 line\u2028end \u202eturned 1 <v Bob>')
    const { cues } = made(words)
    const [asSrt, asVtt] = [readSrt(srt(cues)), readVtt(vtt(cues))]
    expect(asSrt).to.deep.equal(asVtt)
    expect(asVtt.flatMap(({ lines }) => lines).join(' ')).to.equal('a<b> &amp; R&D → done line end turned 1 <v Bob>')
    expect(srt(cues)).to.match(/^1\n00:00:00,500 --> 00:00:\d\d,\d{3}\n/)
  })

  it('have times beyond an hour', () => {
    const words: SpokenWord[] = [{ text: 'Late.', start: 3_725.25, end: 3_726, confidence: null, speaker: null }]
    expect(srt(made(words).cues)).to.equal('1\n01:02:05,250 --> 01:02:06,084\nLate.\n')
  })

  it('of any words keep every rule', () => {
    const word = fc.record({
      text: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('the', 'of', 'in', 'a', 'to', 'and', 'for') },
        { weight: 9, arbitrary: fc.stringMatching(/^[a-z]{2,11}$/).filter((text) => !['at', 'an', 'on', 'by', 'up', 'as'].includes(text)) },
        { weight: 3, arbitrary: fc.stringMatching(/^[a-z]{2,9}[.,?]$/) },
      ),
      pace: fc.integer({ min: 62, max: 110 }),
      gap: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 90 }) },
        { weight: 1, arbitrary: fc.integer({ min: 300, max: 4_000 }) },
      ),
    })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), (given) => {
        let at = 0
        const words = given.map(({ text, pace, gap }): SpokenWord => {
          const start = at + gap
          at = start + (text.length + 1) * pace
          return { text, start: start / 1000, end: at / 1000, confidence: null, speaker: null }
        })
        const { read, cues, hurried } = made(words)
        expect(readVtt(vtt(cues))).to.deep.equal(read)
        const faults = faultsOf(read, words, { fast: hurried > 0 })
        expect(faults, JSON.stringify(words)).to.deep.equal([])
        expect(hurried).to.be.at.most(Math.ceil(cues.length / 10))
      }),
      { numRuns: RUNS },
    )
  })

  it('of any words of several speakers follow each other without a word lost', () => {
    const word = fc.record({
      text: fc.stringMatching(/^[a-z]{1,12}[.,?]?$/),
      pace: fc.integer({ min: 30, max: 120 }),
      gap: fc.integer({ min: 0, max: 600 }),
      speaker: fc.nat(2),
      stays: fc.nat(5),
    })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), (given) => {
        let [at, speaker] = [0, 0]
        const words = given.map(({ text, pace, gap, stays, ...other }): SpokenWord => {
          const start = at + gap
          at = start + (text.length + 1) * pace
          speaker = stays === 0 ? other.speaker : speaker
          return { text, start: start / 1000, end: at / 1000, confidence: null, speaker }
        })
        const { read } = made(words)
        expect(faultsOf(read, words, { fast: true }), JSON.stringify(words)).to.deep.equal([])
      }),
      { numRuns: RUNS },
    )
  })

  it('of an hour are made in 200 ms of processor time', () => {
    const words = spoken(Array.from({ length: 185 }, () => TALK).join(' '), { pace: 55, speakers: [] })
    expect(words.at(-1)?.end).to.be.greaterThan(3_600)
    made(words.slice(0, 2_000))
    const took = leastCpuOf(200, () => expect(made(words).cues.length).to.be.greaterThan(1_000))
    expect(took).to.be.below(200)
  })
})
