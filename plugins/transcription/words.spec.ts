import { expect } from 'chai'
import type { SpokenWord } from './contract.js'
import { languageCode, spokenLanguage } from './language.js'
import { readSphinx } from './sphinx-output.js'
import { wordsOfText } from './text-times.js'
import { utterances } from './utterances.js'
import { bareWord, meanConfidence, numberedSpeakers, sentence, tidied } from './words.js'

const word = (text: string, start: number, end: number, more: Partial<SpokenWord> = {}): SpokenWord => ({
  ...{ text, start, end, confidence: null, speaker: null },
  ...more,
})

describe('words of a transcription', () => {
  for (const [given, bare] of [
    ['Hello,', 'hello'],
    ['“Well…”', 'well'],
    ["don't", "don't"],
    ["O'Neill's.", "o'neill's"],
    ['$5.50', '$5.50'],
    ['100%', '100%'],
    ['晴れ。', '晴れ'],
    ['¿Qué?', 'qué'],
    ['—', '—'],
    ['ÄRGER!', 'ärger'],
  ] as const)
    it(`are in small letters without the punctuation around them: ${given}`, () => expect(bareWord(given)).to.equal(bare))

  it('are written with spaces between them where their script has spaces', () => {
    expect(sentence(['Good', 'day.'])).to.equal('Good day.')
    expect(sentence(['今日', 'は', '晴れ。'])).to.equal('今日は晴れ。')
    expect(sentence(['안녕', '하세요'])).to.equal('안녕 하세요')
    expect(sentence([])).to.equal('')
  })

  it('lie within the recording, in order of time, none ending before it begins', () => {
    const given = [word('b', 2, 1.5), word(' a ', -1, 0.25), word('', 1, 2), word('c', 9, 12, { confidence: 1.5 }), word('x', NaN, 1)]
    expect(tidied(given, 10)).to.deep.equal([word('a', 0, 0.25), word('b', 2, 2), word('c', 9, 10, { confidence: 1 })])
  })

  it('have a mean confidence by their length in time, null when none has one', () => {
    expect(meanConfidence([word('a', 0, 3, { confidence: 1 }), word('b', 3, 4, { confidence: 0.2 }), word('c', 4, 9)])).to.equal(0.8)
    expect(meanConfidence([word('a', 0, 3)])).to.equal(null)
    expect(meanConfidence([word('a', 1, 1, { confidence: 0.5 })])).to.equal(0.5)
  })

  it('belong to speakers that are numbered as they speak first', () => {
    expect(numberedSpeakers(['B', null, 'A', 'B', null])).to.deep.equal([0, 0, 1, 0, 0])
    expect(numberedSpeakers([null, 7, null, 3])).to.deep.equal([0, 0, 0, 1])
    expect(numberedSpeakers([null, null])).to.deep.equal([null, null])
  })
})

describe('times of a text', () => {
  const span = { start: 0, end: 4, confidence: null }
  const piece = (text: string, start: number, end: number) => ({ text, start, end, confidence: null })

  it('are those of its words, whatever their punctuation and letter case', () => {
    const words = wordsOfText({ ...span, text: 'Well, "no" (I think).' }, [piece('well', 0, 0.5), piece('NO', 1, 1.5), piece('i', 2, 2.1), piece('think', 2.2, 3)], 'en') // prettier-ignore
    expect(words.map(({ text, start, end }) => [text, start, end])).to.deep.equal([
      ['Well,', 0, 0.5],
      ['"no"', 1, 1.5],
      ['(I', 2, 2.1],
      ['think).', 2.2, 3],
    ])
  })

  it('of a word that was written otherwise lie between its neighbours', () => {
    const [, five] = wordsOfText(
      { ...span, text: 'about 5 people' },
      [piece('about', 0, 1), piece('five', 1, 2), piece('people', 2, 3)],
      'en',
    )
    expect(five?.text).to.equal('5')
    expect(five?.start).to.be.within(1, 1.5)
    expect(five?.end).to.be.within(1.5, 2)
  })

  it('are spread over the characters where there are no others', () => {
    const words = wordsOfText({ ...span, text: 'one three' }, [], 'en')
    expect(words.map(({ start, end }) => [start, end].map((time) => Math.round(time * 100) / 100))).to.deep.equal([
      [0, 1.33],
      [1.78, 4],
    ])
  })

  it('of 64 KiB of text that fits none of 2,000 words take 0.1 s of processor time', () => {
    const text = 'aa '.repeat(21_845)
    const pieces = Array.from({ length: 2_000 }, (_, at) => piece(`${'a'.repeat(at % 50)}b`, at, at + 1))
    wordsOfText({ ...span, text: text.slice(0, 5_000) }, pieces, 'en')
    const before = process.cpuUsage()
    wordsOfText({ ...span, text }, pieces, 'en')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).to.be.at.most(100)
  })
})

describe('utterances', () => {
  it('end at a pause and where somebody else speaks', () => {
    const turns = utterances([
      word('Hello', 0, 0.4, { speaker: 0, confidence: 1 }),
      word('there.', 0.5, 0.9, { speaker: 0, confidence: 0.5 }),
      word('Hi.', 1, 1.2, { speaker: 1, confidence: 0.9 }),
      word('Well,', 3, 3.4, { speaker: 1, confidence: 0.8 }),
    ])
    expect(turns).to.deep.equal([
      { speaker: 0, text: 'Hello there.', start: 0, end: 0.9, confidence: 0.75 },
      { speaker: 1, text: 'Hi.', start: 1, end: 1.2, confidence: 0.9 },
      { speaker: 1, text: 'Well,', start: 3, end: 3.4, confidence: 0.8 },
    ])
  })

  it('of one speaker without a pause end with a sentence after twenty seconds', () => {
    const words = Array.from({ length: 60 }, (_, at) => word(at % 10 === 9 ? 'end.' : 'word', at / 2, at / 2 + 0.4))
    expect(utterances(words).map(({ text, speaker }) => [text.split(' ').length, speaker])).to.deep.equal([
      [50, 0],
      [10, 0],
    ])
  })
})

describe('languages of speech', () => {
  for (const [given, code, region] of [
    ['en', 'en', null],
    ['EN', 'en', null],
    ['en_us', 'en', 'US'],
    ['en-GB', 'en', 'GB'],
    ['en_uk', 'en', 'GB'],
    ['eng', 'en', null],
    ['deu', 'de', null],
    ['pt-BR', 'pt', 'BR'],
    ['zh_Hant_TW', 'zh', 'TW'],
    ['nb', 'no', null],
    ['tl', 'tl', null],
    ['yue', 'yue', null],
    ['auto', null, null],
  ] as const)
    it(`are known by ${given}`, () => expect(spokenLanguage(given)).to.deep.equal({ code, region }))

  for (const given of ['xx', 'english', 'e', 'en_', 'qqq', ''])
    it(`are none by "${given}"`, () => expect(spokenLanguage(given)).to.equal(undefined))

  for (const [name, code] of [
    ['english', 'en'],
    ['English', 'en'],
    ['haitian creole', 'ht'],
    ['myanmar', 'my'],
    ['nynorsk', 'nn'],
    ['en_us', 'en'],
    ['eng', 'en'],
    ['pt-BR', 'pt'],
    ['klingonese', null],
    [7, null],
    ['x'.repeat(1_000), null],
  ] as const)
    it(`are read from what a vendor calls them: ${String(name).slice(0, 20)}`, () => expect(languageCode(name)).to.equal(code))
})

describe('the output of pocketsphinx', () => {
  it('has words with times; silences, noises and numbers of pronunciations are left out', () => {
    const output = 'go\n<s> 0.0 0.1 1.0\nthe(2) 0.11 0.2 9.5e-1\n<sil> 0.2 0.3 1\n++NOISE++ 0.3 0.4 0.9\ngo 0.4 0.6 0.5\n</s> 0.7 0.8 1\n'
    expect(readSphinx(Buffer.from(output), 1)).to.deep.equal({
      text: 'the go',
      language: 'en',
      words: [word('the', 0.11, 0.2, { confidence: 0.95 }), word('go', 0.4, 0.6, { confidence: 0.5 })],
    })
    expect(readSphinx(Buffer.from('<s> 0.0 0.1 1.0\n'), 1)).to.equal(null)
  })
})
