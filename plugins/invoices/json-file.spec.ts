import { expect } from 'chai'
import { jsonWithFile } from './json-file.js'

/** The JSON written for a file that is read in these pieces, and its longest piece. */
async function written(pieces: readonly Uint8Array[]): Promise<{ text: string; longest: number }> {
  const out: Uint8Array[] = []
  const size = pieces.reduce((all, piece) => all + piece.length, 0)
  const scratch = {
    read: async function* () {
      for (const piece of pieces) yield await Promise.resolve(piece)
    },
    write: async (data: Uint8Array | AsyncIterable<Uint8Array>) => {
      if (data instanceof Uint8Array) throw new TypeError('whole in memory')
      for await (const piece of data) out.push(piece)
      return { id: '2'.repeat(32), size: out.reduce((all, piece) => all + piece.length, 0) }
    },
  }
  const file = await jsonWithFile({ id: '1'.repeat(32), size }, scratch, (content) => ({ a: { content }, b: 'ä"' }))
  const bytes = Buffer.concat(out)
  expect(file.size).to.equal(bytes.length)
  return { text: bytes.toString(), longest: Math.max(...out.map((piece) => piece.length)) }
}

describe('invoices: a file inside JSON', () => {
  it('is the same as Base64 of the whole, whatever the pieces are', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 31) % 256))
    for (const length of [1, 2, 3, 7, 64, 999, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length))
      expect(JSON.parse((await written(pieces)).text), String(length)).to.deep.equal({ a: { content: bytes.toString('base64') }, b: 'ä"' })
    }
    expect(JSON.parse((await written([])).text)).to.deep.equal({ a: { content: '' }, b: 'ä"' })
  })

  it('is written piece by piece', async () => {
    const { text, longest } = await written(Array.from({ length: 50 }, () => new Uint8Array(60_000)))
    expect(text.length).to.be.greaterThan(4_000_000)
    expect(longest).to.be.lessThan(100_000)
  })
})
