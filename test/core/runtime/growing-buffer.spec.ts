import { expect } from 'chai'
import { GrowingBuffer } from '../../../core/runtime/growing-buffer.js'

describe('memory that grows', () => {
  it('gives a copy of what came and frees its own', () => {
    const growing = new GrowingBuffer(10_000)
    growing.append(Buffer.from('ab'))
    growing.appendText('é')
    expect(Buffer.from(growing.taken()).toString()).to.equal('abé')
    expect(growing.buffer.byteLength).to.equal(0)
  })

  it('frees its memory at once', () => {
    const growing = new GrowingBuffer(10_000)
    growing.append(Buffer.alloc(5_000))
    growing.free()
    expect(growing.buffer.byteLength).to.equal(0)
    expect(growing.filled().length).to.equal(0)
  })
})
