import { expect } from 'chai'
import { plainQuery, queryWords } from './query.js'

describe('academic: queries as vendors take them', () => {
  it('nothing in a query is an operator of a vendor', () => {
    expect(plainQuery('ti:"red kettles" AND (blue OR -green) NOT x~2 ab* c?')).to.equal('ti red kettles and blue or green not x 2 ab c')
  })

  it('letters of all scripts, hyphens and points inside words stay', () => {
    expect(plainQuery('Überhitzung von Kesseln, self-attention GPT-4.1 深度学习')).to.equal(
      'Überhitzung von Kesseln self-attention GPT-4.1 深度学习',
    )
  })

  it('a question is asked for by what it is about', () => {
    expect(queryWords('What are the effects of lime scale on the kettles of hotels?')).to.deep.equal([
      'effects',
      'lime',
      'scale',
      'kettles',
      'hotels',
    ])
  })

  it('words come once, at most eight, and common ones only where there is nothing else', () => {
    expect(queryWords('Kettle kettle KETTLE')).to.deep.equal(['kettle'])
    expect(queryWords('one two three four five six seven eight nine')).to.have.length(8)
    expect(queryWords('who are you')).to.deep.equal(['who', 'are', 'you'])
    expect(queryWords('?! "()"')).to.deep.equal([])
  })
})
