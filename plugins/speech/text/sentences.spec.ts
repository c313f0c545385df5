import { expect } from 'chai'
import { isSpeakable, plainText, withoutPhonemes, withoutTags } from './plain.js'
import { chunks, sentences } from './sentences.js'

const english = (most: number) => ({ language: 'en', most })

describe('texts cut for engines', () => {
  it('are cut between sentences, and know where a paragraph ends', () => {
    expect(sentences('One is here. Is two? Yes!\nThree.', english(100))).to.deep.equal([
      { text: 'One is here.', endsParagraph: false },
      { text: 'Is two?', endsParagraph: false },
      { text: 'Yes!', endsParagraph: true },
      { text: 'Three.', endsParagraph: true },
    ])
    expect(sentences('会议九点开始。你好。', { language: 'zh', most: 100 }).map(({ text }) => text)).to.deep.equal([
      '会议九点开始。',
      '你好。',
    ])
  })

  it('are cut behind a comma, else at a blank, else between characters, when a sentence is too long', () => {
    const cut = (text: string, most: number): string[] => sentences(text, english(most)).map((piece) => piece.text)
    expect(cut('When the rain stops, we will go out', 25)).to.deep.equal(['When the rain stops,', 'we will go out'])
    expect(cut('alpha beta gamma delta', 12)).to.deep.equal(['alpha beta', 'gamma delta'])
    expect(cut('abcdefghij', 4)).to.deep.equal(['abcd', 'efgh', 'ij'])
    expect(cut('😀😀😀', 3)).to.deep.equal(['😀', '😀', '😀'])
  })

  it('lose nothing but blanks, and no piece is longer than asked for', () => {
    const text = `${'A short one. '.repeat(20)}${'x'.repeat(130)} and ${'words '.repeat(60)}\n\nThe end, at last.`
    for (const most of [2, 7, 50, 120, 2_000]) {
      const pieces = chunks(text, english(most)).map((piece) => piece.text)
      expect(pieces.join('').replace(/\s/g, ''), String(most)).to.equal(text.replace(/\s/g, ''))
      expect(Math.max(...pieces.map(({ length }) => length)), String(most)).to.be.at.most(most)
    }
    expect(chunks('One. Two. Three.', english(2_000)).length).to.equal(1)
  })
})

describe('texts made plain', () => {
  it('have no control characters, halves of pairs or marks without width, and one kind of line end', () => {
    expect(plainText(' a\u0000b\tc\r\nd\u2028e\ud800f\ufeffg\u200bh ')).to.equal('a b c\nd\ne fgh')
    expect(plainText('e\u0301')).to.equal('é')
  })

  it('have something to say with a letter or a digit alone', () => {
    expect(['', ' \n', '…!?', '😀👍', '— “”', '\u0000'].filter(isSpeakable)).to.deep.equal([])
    expect(['a', '1', '字', 'ك', '½', '😀 ok'].filter((text) => !isSpeakable(text))).to.deep.equal([])
  })

  it('have no tag and no phonemes that a vendor or engine would obey', () => {
    expect(withoutTags('<speak>1 < 2<break time="1s"/></speak>')).to.equal('< speak>1 < 2< break time="1s"/>< /speak>')
    expect(withoutPhonemes('say [[h@l@U]] 😀now 👩🏽‍🚀! ©')).to.equal('say [ [h@l@U]] now ! ©')
    expect(withoutPhonemes('ශ්\u200dරී 1️⃣ 🇫🇷')).to.equal('ශ්\u200dරී 1 ')
  })
})
