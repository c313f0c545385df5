import { expect } from 'chai'
import { linesOf, markdownOf, textOf } from './parse/pdf-lines.js'
import type { Run } from './parse/pdf-runs.js'
import { wordsOf } from './parse/pdf-words.js'

const SIZE = 10
const run = (text: string, x: number, width: number, more: Partial<Run> = {}): Run => ({
  ...{ text, x, y: 92, width, height: SIZE, baseline: 100, size: SIZE, rightToLeft: false, upright: false, filled: false },
  ...more,
})

describe('reading: words of a PDF', () => {
  it('that are drawn in pieces, as around a ligature of another font, are whole, like the text', () => {
    const lines = linesOf([run('The of', 20, 28), run('fi', 48.1, 5), run('ce is of', 53.1, 36), run('fl', 89, 5), run('ine', 94, 12)])
    expect(lines.map(textOf)).to.deep.equal(['The office is offline'])
    const words = wordsOf(lines)
    expect(words.map(({ text }) => text)).to.deep.equal(['The', 'office', 'is', 'offline'])
    const [, office, , offline] = words
    expect(office).to.include({ y: 92, height: SIZE })
    expect((office?.x ?? 0) + (office?.width ?? 0)).to.be.within(53.2, 75)
    expect((offline?.x ?? 0) + (offline?.width ?? 0)).to.be.closeTo(106, 0.02)
    expect(markdownOf(lines, SIZE)).to.contain('office')
  })

  it('that stand apart, or beside a blank, stay apart', () => {
    const texts = (...runs: Run[]): string[] => wordsOf(linesOf(runs)).map(({ text }) => text)
    expect(texts(run('Total', 20, 22), run('12.50', 60, 25))).to.deep.equal(['Total', '12.50'])
    expect(texts(run('Total ', 20, 25), run('12.50', 45, 25))).to.deep.equal(['Total', '12.50'])
    expect(texts(run('Total', 20, 22), run(' 12.50', 42, 28))).to.deep.equal(['Total', '12.50'])
  })

  it('from right to left are joined in their order', () => {
    const right = { rightToLeft: true }
    const [word, ...others] = wordsOf(linesOf([run('\u05e9\u05dc', 50, 12, right), run('\u05d5\u05dd', 38, 12, right)]))
    expect(word).to.include({ text: '\u05e9\u05dc\u05d5\u05dd', x: 38, width: 24 })
    expect(others).to.deep.equal([])
  })
})
