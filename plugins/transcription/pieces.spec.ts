import { expect } from 'chai'
import fc from 'fast-check'
import type { SpokenWord } from './contract.js'
import { joined, type Part } from './join.js'
import { cuts } from './pieces.js'
import { BYTES_PER_SECOND, byteAt, HEADER, samplesAt, samplesOf, wavHeader } from './wav.js'

const RUNS = Number(process.env['CAPSTAN_PROPERTY_RUNS'] ?? 200)

describe('WAV', () => {
  it('has a header that is read again, also with other chunks in it', () => {
    const header = wavHeader(64_000)
    expect(samplesAt(header)).to.equal(HEADER)
    const chunk = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')])
    expect(samplesAt(Buffer.concat([header.subarray(0, 36), chunk, header.subarray(36)]))).to.equal(HEADER + 12)
  })

  it('of another form is not read', () => {
    const stereo = Buffer.from(wavHeader(8))
    stereo[22] = 2
    const telephone = Buffer.from(wavHeader(8))
    telephone.writeUInt32LE(8_000, 24)
    for (const header of [stereo, telephone, Buffer.alloc(60), Buffer.from('RIFF'), Buffer.from(wavHeader(8)).subarray(0, 40)])
      expect(samplesAt(header)).to.equal(null)
  })

  it('is taken apart into any ranges, however its bytes come', async () => {
    const samples = Buffer.from(Array.from({ length: BYTES_PER_SECOND }, (_, at) => (at * 31) % 251))
    const length = fc.integer({ min: 1, max: 20_000 })
    const range = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 300 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(length, { minLength: 1, maxLength: 6 }),
        fc.array(range, { maxLength: 5 }),
        fc.nat(100),
        async (lengths, given, offset) => {
          const file = Buffer.concat([Buffer.alloc(offset, 1), samples])
          const ranges = given.map(([from, long]) => ({ from: from / 1_000, to: Math.min(1, (from + long) / 1_000) }))
          ranges.sort((one, other) => one.from - other.from || one.to - other.to)
          ranges.forEach((each, at) => (each.to = Math.max(each.to, ranges[at - 1]?.to ?? 0)))
          async function* chunks() {
            await Promise.resolve()
            for (let at = 0, turn = 0; at < file.length; turn++) {
              const next = at + (lengths[turn % lengths.length] ?? 1)
              yield file.subarray(at, next)
              at = next
            }
          }
          const found = []
          for await (const part of samplesOf(chunks(), offset, ranges)) found.push(Buffer.from(part).toString('hex'))
          expect(found).to.deep.equal(ranges.map(({ from, to }) => samples.subarray(byteAt(from), byteAt(to)).toString('hex')))
        },
      ),
      { numRuns: RUNS / 4 },
    )
  })
})

describe('cuts of a recording', () => {
  it('lie in the middle of the longest pause of the later half of a piece', () => {
    const pauses = [
      { start: 10, end: 14 },
      { start: 60, end: 61 },
      { start: 80, end: 83 },
      { start: 130, end: 131 },
    ]
    expect(cuts({ duration: 150, pauses }, 100)).to.deep.equal([{ from: 0, to: 81.5 }, { from: 81.5, to: 150 }]) // prettier-ignore
  })

  it('overlap where nobody pauses', () => {
    expect(cuts({ duration: 150, pauses: [] }, 100)).to.deep.equal([{ from: 0, to: 100 }, { from: 96, to: 150 }]) // prettier-ignore
    expect(cuts({ duration: 100, pauses: [] }, 100)).to.deep.equal([{ from: 0, to: 100 }])
  })

  it('leave nothing out, and make no piece longer than may be', () => {
    const pause = fc
      .tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 60 }))
      .map(([start, long]) => ({ start, end: start + long }))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(pause, { maxLength: 40 }),
        fc.integer({ min: 20, max: 600 }),
        (duration, given, most) => {
          const pauses = given.filter(({ end }) => end <= duration).sort((one, other) => one.start - other.start)
          const ranges = cuts({ duration, pauses }, most)
          expect([ranges[0]?.from, ranges.at(-1)?.to]).to.deep.equal([0, duration])
          ranges.forEach(({ from, to }, at) => {
            expect(to - from).to.be.within(0, most + 1e-6)
            if (at > 0) expect(from).to.be.at.most(ranges[at - 1]?.to ?? 0)
          })
          expect(ranges.length).to.be.at.most(Math.ceil(duration / (most * 0.5 - 4)) + 1)
        },
      ),
      { numRuns: RUNS },
    )
  })
})

describe('joined pieces', () => {
  const pieceOf = (words: readonly SpokenWord[], from: number, to: number, jitter: (at: number) => number): Part => {
    const inside = words.filter(({ start, end }) => end > from && start < to)
    const transcribed = inside.map((word, at) => {
      // A word that is cut is recognised as another one.
      const cut = word.start < from || word.end > to
      const move = jitter(at)
      return {
        ...word,
        text: cut ? 'um' : word.text,
        start: Math.max(from, word.start + move) - from,
        end: Math.min(to, word.end + move) - from,
      }
    })
    return { from, to, answer: { text: transcribed.map(({ text }) => text).join(' '), language: 'en', words: transcribed } }
  }

  for (const [what, texts, most] of [
    ['words that come again and again, at times up to 30 ms apart', ['very', 'the', 'a', 'no'], 30],
    ['other words, each piece up to 150 ms early or late', null, 150],
  ] as const)
    it(`have every word once, though cuts go through words: ${what}`, () => {
      const word = fc.record({
        text: texts === null ? fc.constant('') : fc.constantFrom(...texts),
        long: fc.integer({ min: 120, max: 600 }),
        gap: fc.integer({ min: 10, max: 300 }),
      })
      const moves = fc.array(fc.integer({ min: -most, max: most }), { minLength: 8, maxLength: 8 })
      fc.assert(
        fc.property(fc.array(word, { minLength: 60, maxLength: 200 }), moves, (given, moved) => {
          let at = 0
          const words = given.map(({ text, long, gap }, index): SpokenWord => {
            const start = at + gap
            at = start + long
            const written = text === '' ? `w${String(index % 20)}` : text
            return { text: written, start: start / 1_000, end: at / 1_000, confidence: null, speaker: null }
          })
          const duration = at / 1_000 + 1
          const ranges = cuts({ duration, pauses: [] }, 20)
          const parts = ranges.map(({ from, to }, part) =>
            pieceOf(words, from, to, (index) => (moved[(texts === null ? part : index + part) % moved.length] ?? 0) / 1_000),
          )
          const answer = joined(parts, duration)
          expect(answer.text).to.equal(words.map(({ text }) => text).join(' '))
        }),
        { numRuns: RUNS },
      )
    })

  it('that were cut at pauses are one after the other', () => {
    const part = (from: number, to: number, text: string, start: number): Part => ({
      ...{ from, to },
      answer: { text, language: 'de', words: [{ text, start, end: start + 0.5, confidence: 0.5, speaker: 3 }] },
    })
    expect(joined([part(0, 10, 'Guten', 9), part(10, 20, 'Tag.', 1)], 20)).to.deep.equal({
      text: 'Guten Tag.',
      language: 'de',
      words: [
        { text: 'Guten', start: 9, end: 9.5, confidence: 0.5, speaker: null },
        { text: 'Tag.', start: 11, end: 11.5, confidence: 0.5, speaker: null },
      ],
    })
  })

  it('without times have the text of all', () => {
    const part = (from: number, to: number, text: string): Part => ({ from, to, answer: { text, language: null, words: [] } })
    expect(joined([part(0, 10, ' one '), part(6, 20, 'two')], 20)).to.deep.equal({ text: 'one two', language: null, words: [] })
  })
})
