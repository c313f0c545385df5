import { expect } from 'chai'
import { AnswerEncoder } from '../../../core/calls/encode.js'
import { ownTimes } from '../../../core/exec/work-time.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { skip } from '../../support/needs.js'

describe('the encoding of an answer', () => {
  let encoder: AnswerEncoder
  before(() => {
    encoder = new AnswerEncoder(systemClock)
  })
  after(async () => await encoder.close())
  const encode = (value: object) => encoder.encode(value, 'acc')

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

  it('of a long text is not made on the main thread, which uses less than a third of the processor time of JSON.stringify', async function () {
    const value = { text: '\u0001'.repeat(12_000_000) }
    const used = (): number => ownTimes()?.usedMs ?? skip(this, 'the system does not report processor times of threads')
    await encode({ text: 'a'.repeat(1 << 20) })
    const began = used()
    const bytes = await encode(value)
    const there = used() - began
    const before = used()
    const expected = Buffer.from(JSON.stringify(value))
    const alone = used() - before
    expect(expected.equals(Buffer.from(bytes))).to.equal(true)
    expect(there).to.be.below(alone / 3)
  })

  it('whose thread ends is made without it', async () => {
    const value = { text: 'ä"'.repeat(100_000), list: [1, null] }
    const failing = new AnswerEncoder(systemClock, new URL('data:text/javascript,process.exit(1)'))
    expect(Buffer.from(await failing.encode(value, 'acc')).equals(Buffer.from(JSON.stringify(value)))).to.equal(true)
    await failing.close()
  })

  it('of many values is encoded in the thread too', async () => {
    const value = { list: Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'é' })) }
    expect(Buffer.from(await encode(value)).equals(Buffer.from(JSON.stringify(value)))).to.equal(true)
  })

  it('A2 encodes one long answer at a time, accounts in turn: many of one account do not keep the other waiting', async () => {
    const done: string[] = []
    const encoded = async (account: string): Promise<void> => {
      await encoder.encode({ text: account.repeat(1 << 20) }, account)
      done.push(account)
    }
    await Promise.all([...Array.from({ length: 6 }, () => encoded('a')), encoded('b'), encoded('b')])
    expect(done).to.have.length(8)
    expect(done.indexOf('b')).to.be.at.most(2)
    await encoder.encode({ text: 'a'.repeat(1 << 20) }, 'a')
  })

  it('A2 that finds no room any more is not encoded to its end', async () => {
    const sizes: number[] = []
    const full = new Error('no room')
    const encoding = encoder.encode({ text: '\u0001'.repeat(4 << 20) }, 'acc', (bytes) => {
      sizes.push(bytes)
      if (bytes > 5_000_000) throw full
    })
    expect(await Promise.resolve(encoding).catch((error: unknown) => error)).to.equal(full)
    expect(sizes.at(-1)).to.be.within(5_000_000, 7_000_000)
    expect(Buffer.from(await encode({ text: 'b'.repeat(1 << 20) })).toString()).to.equal(`{"text":"${'b'.repeat(1 << 20)}"}`)
  })

  it('A2 of a long text is of a fixed size, which the collector counts', async () => {
    const bytes = await encode({ text: 'a'.repeat(1 << 20) })
    if (typeof bytes === 'string') throw new Error('a long text is bytes')
    expect((bytes.buffer as ArrayBuffer).resizable).to.equal(false)
    expect(bytes.buffer.byteLength).to.equal(bytes.length)
  })
})
