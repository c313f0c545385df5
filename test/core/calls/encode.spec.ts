import { expect } from 'chai'
import { AnswerEncoder } from '../../../core/calls/encode.js'

describe('the encoding of an answer', () => {
  const encode = (value: object) => new AnswerEncoder().encode(value, 'acc')

  for (const unit of ['a', 'é', '漢', '😀', 'a😀'])
    it(`is JSON in UTF-8, also of a long text of ${unit}, whose pairs stay together`, async () => {
      for (const text of [unit, `x${unit.repeat(1_500_000)}`]) {
        const value = { data: [{ text, also: { text } }, 'end', null], ms: 1.5 }
        expect(Buffer.from(await encode(value)).equals(Buffer.from(JSON.stringify(value)))).to.equal(true)
      }
    })

  it('of a long text escapes what JSON escapes, halves of pairs without the other too', async () => {
    for (const text of ['"\\\n\u0001', '\ud83d', '\ude00x', 'a\ud83d'].map((unit) => unit.repeat(600_000))) {
      const value = { text }
      expect(Buffer.from(await encode(value)).equals(Buffer.from(JSON.stringify(value)))).to.equal(true)
    }
  })

  it('leaves out what JSON leaves out, beside a long text too', async () => {
    for (const text of ['a', 'a'.repeat(2 << 20)]) {
      const value = { text, not: undefined, list: [undefined, text], empty: '' }
      expect(Buffer.from(await encode(value)).toString()).to.equal(JSON.stringify(value))
    }
  })

  it('of a long text leaves turns of the event loop to others', async () => {
    let turns = 0
    const watch = (): void => {
      turns += 1
      next = setImmediate(watch)
    }
    let next = setImmediate(watch)
    await encode({ text: 'a'.repeat(5 << 20) })
    clearImmediate(next)
    expect(turns).to.be.at.least(4)
  })

  it('makes a piece in a turn, however many long answers there are at once', async () => {
    const encoder = new AnswerEncoder()
    let turns = 0
    const watch = (): void => {
      turns += 1
      next = setImmediate(watch)
    }
    let next = setImmediate(watch)
    await Promise.all([1, 2, 3].map(async (account) => await encoder.encode({ text: 'a'.repeat(4 << 20) }, `acc${account}`)))
    clearImmediate(next)
    expect(turns).to.be.at.least(12)
  })

  it('A2 encodes two long answers at a time, accounts in turn: many of one account do not keep the other waiting', async () => {
    const encoder = new AnswerEncoder()
    const done: string[] = []
    const encoded = async (account: string): Promise<void> => {
      await encoder.encode({ text: account.repeat(1 << 20) }, account)
      done.push(account)
    }
    await Promise.all([...Array.from({ length: 6 }, () => encoded('a')), encoded('b'), encoded('b')])
    expect(done).to.have.length(8)
    expect(done.indexOf('b')).to.be.at.most(4)
    await encoder.encode({ text: 'a'.repeat(1 << 20) }, 'a')
  })

  it('A2 of a long text is of a fixed size, which the collector counts', async () => {
    const bytes = await encode({ text: 'a'.repeat(1 << 20) })
    if (typeof bytes === 'string') throw new Error('a long text is bytes')
    expect((bytes.buffer as ArrayBuffer).resizable).to.equal(false)
    expect(bytes.buffer.byteLength).to.equal(bytes.length)
  })
})
