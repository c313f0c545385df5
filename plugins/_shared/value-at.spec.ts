import { expect } from 'chai'
import { listAt, textsIn, valueAt } from './value-at.js'

describe('core/sdk: valueAt', () => {
  const reply: unknown = JSON.parse('{"data":{"items":[{"name":"a"},"b"],"none":null,"__proto__":{"own":1}},"length":3}')

  it('finds what stands at a path, a number being a place in a list', () => {
    expect(valueAt(reply, 'data', 'items', 0, 'name')).to.equal('a')
    expect(valueAt(reply, 'data', 'items', '1')).to.equal('b')
    expect(valueAt(reply, 'data', 'none')).to.equal(null)
    expect(valueAt(reply)).to.equal(reply)
    expect(listAt(reply, 'data', 'items')).to.have.length(2)
  })

  it('finds nothing where there is nothing, and nothing that JavaScript adds', () => {
    for (const path of [
      ['x', 'y'],
      ['data', 'none', 'x'],
      ['data', 'items', 2],
      ['data', 'items', 'length'],
      ['data', 'items', 1, 'length'],
    ])
      expect(valueAt(reply, ...path), path.join()).to.equal(undefined)
    for (const name of ['toString', 'constructor', '__proto__']) expect(valueAt(reply, name), name).to.equal(undefined)
    expect(valueAt(reply, 'data', '__proto__')).to.deep.equal({ own: 1 })
    expect(listAt(reply, 'data')).to.deep.equal([])
  })

  it('takes the texts out of a list', () => {
    expect(textsIn(['a', 1, null, 'b', ['c']])).to.deep.equal(['a', 'b'])
    expect(textsIn({ 0: 'a' })).to.deep.equal([])
  })
})
