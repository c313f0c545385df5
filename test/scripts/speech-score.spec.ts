import { expect } from 'chai'
import { iou } from '../../scripts/bench/cutout/scenes.js'
import { diarization, type Turn } from '../../scripts/bench/speech/diarization.js'
import { SENTENCES } from '../../scripts/bench/speech/sentences.js'
import { aligned, heardOf, scoredWords, wordErrors } from '../../scripts/bench/speech/words.js'

describe('bench of speech: words that are recognised wrong', () => {
  it('are substitutions, deletions and insertions, of the words that were said', () => {
    expect(heardOf('the cat sat on the mat', 'the cat sat on the mat')).to.deep.equal({ wrong: 0, of: 6 })
    expect(heardOf('the cat sat on the mat', 'The cat sit on mat, now.')).to.deep.equal({ wrong: 3, of: 6 })
    expect(heardOf('the cat', '')).to.deep.equal({ wrong: 2, of: 2 })
    expect(heardOf('cat', 'a cat a cat')).to.deep.equal({ wrong: 3, of: 1 })
    expect(wordErrors([{ wrong: 1, of: 4 }, { wrong: 0, of: 6 }])).to.equal(10) // prettier-ignore
  })

  it('are no other notation of the same', () => {
    for (const [one, other] of [
      ['twelve oh four', '1,204'],
      ['one thousand two hundred four', '1204'],
      ['twenty twenty five', '2025'],
      ['eight million', '8,000,000'],
      ['one million two hundred thousand', '1,200,000'],
      ['five five five one two three four five six seven', '555-123-4567'],
      ['nine thirty', '9:30'],
      ['twenty four seven', '24-7'],
      ['twenty four seven', '24/7'],
      ['twenty three dollars and fifty cents', '$23.50'],
      ['sixty percent', '60%'],
      ['five p m', '5 p.m.'],
      ['help at example dot com', 'help@example.com'],
      ["nine o'clock", 'nine o’clock'],
    ] as const)
      expect(scoredWords(one), other).to.deep.equal(scoredWords(other))
    expect(scoredWords('twenty one')).to.deep.equal(['21'])
    expect(scoredWords('twenty eleven')).to.deep.equal(['2011'])
    expect(scoredWords('ten of clubs')).to.deep.equal(['10', 'of', 'clubs'])
    expect(scoredWords('oh no')).to.deep.equal(['oh', 'no'])
  })

  it('are none in the fifty sentences as they are written and as they are spoken', () => {
    const wrong = SENTENCES.filter(({ text, heard }) => heardOf(heard, text).wrong > 0)
    expect(wrong.map(({ text }) => text)).to.deep.equal([])
    expect(SENTENCES).to.have.lengthOf(50)
  })

  it('are found at their positions', () => {
    expect(aligned(['a', 'b', 'c'], ['a', 'c'])).to.deep.equal([[0, 0], [1, null], [2, 1]]) // prettier-ignore
    expect(aligned(['a', 'c'], ['a', 'b', 'c'])).to.deep.equal([[0, 0], [null, 1], [1, 2]]) // prettier-ignore
  })
})

describe('bench of speech: the diarization error rate', () => {
  const turn = (speaker: number, from: number, to: number): Turn => ({ speaker, from, to })
  const reference = [turn(0, 0, 10), turn(1, 10, 20)]
  const rounded = ({ missed, falseAlarm, confused, scored, rate }: ReturnType<typeof diarization>): number[] =>
    [missed, falseAlarm, confused, scored, rate].map((value) => Math.round(value * 1_000) / 1_000)

  it('is 0 for the same turns, whatever the names of the speakers', () => {
    expect(rounded(diarization(reference, [turn(7, 0, 10), turn(3, 10, 20)]))).to.deep.equal([0, 0, 0, 19, 0])
  })

  it('is that of an example computed by hand', () => {
    // Speaker 0 goes on to 12 instead of 10, nobody is found from 18 on, and somebody from 21 to 22.
    const found = [turn(0, 0, 12), turn(1, 12, 18), turn(1, 21, 22)]
    // Without a collar: confused 10 to 12, missed 18 to 20, a false alarm of 1 s, of 20 s.
    expect(rounded(diarization(reference, found, 0))).to.deep.equal([2, 1, 2, 20, 0.25])
    // With it: confused from 10.25, missed until 19.75, of 9.5 s of each speaker.
    expect(rounded(diarization(reference, found))).to.deep.equal([1.75, 1, 1.75, 19, 0.237])
  })

  it('leaves out an edge that is off by less than the collar, and counts one that is off by more', () => {
    expect(diarization(reference, [turn(0, 0, 10.2), turn(1, 10.2, 20)]).rate).to.equal(0)
    expect(diarization(reference, [turn(0, 0, 10.5), turn(1, 10.5, 20)]).confused).to.be.closeTo(0.25, 1e-9)
  })

  it('matches speakers so that they share the most time, each with one at most', () => {
    // The first that was found shares 5 s with the first voice and 6 s with the second.
    const voices = [turn(0, 0, 5), turn(1, 5, 11), turn(2, 20, 25)]
    const found = [turn(0, 0, 11), turn(1, 20, 25)]
    expect(rounded(diarization(voices, found, 0))).to.deep.equal([0, 0, 5, 16, 0.313])
  })

  it('counts a second voice at the same time as a false alarm, and half of two voices as missed', () => {
    expect(rounded(diarization([turn(0, 0, 10)], [turn(0, 0, 10), turn(1, 4, 6)], 0))).to.deep.equal([0, 2, 0, 10, 0.2])
    expect(rounded(diarization([turn(0, 0, 10), turn(1, 5, 10)], [turn(0, 0, 10)], 0))).to.deep.equal([5, 0, 0, 15, 0.333])
  })

  it('is 1 where nothing is found', () => {
    expect(diarization(reference, []).rate).to.equal(1)
  })
})

describe('bench of cutouts: intersection over union', () => {
  it('is what both masks have of what either has, cut at half', () => {
    expect(iou(Uint8Array.of(255, 128, 127, 0), Uint8Array.of(200, 0, 255, 0))).to.equal(1 / 3)
    expect(iou(Uint8Array.of(255, 0), Uint8Array.of(255, 0))).to.equal(1)
    expect(iou(Uint8Array.of(255, 0), Uint8Array.of(0, 255))).to.equal(0)
    expect(iou(Uint8Array.of(0, 0), Uint8Array.of(0, 0))).to.equal(0)
  })
})
