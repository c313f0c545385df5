import { expect } from 'chai'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { ArrivingBytes } from '../../../core/http/upload/receive.js'
import { errorOf } from '../../support/unit.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function read(bytes: ArrivingBytes): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

describe('bytes on their way from a form to the store', () => {
  it('come out as they went in, in whatever pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 50_000 }),
        async (sizes, most) => {
          const pieces = sizes.map((size) => randomBytes(size))
          const all = Buffer.concat(pieces)
          const arriving = new ArrivingBytes(most)
          const reading = read(arriving)
          for (const piece of pieces) await new Promise<void>((taken) => arriving.write(Buffer.from(piece), () => taken()))
          arriving.end()
          expect(Buffer.compare(await reading, all)).to.equal(0)
        },
      ),
    )
  })

  it('are all there for a reader who comes after their end', async () => {
    const arriving = new ArrivingBytes(1_000)
    arriving.write('one ')
    arriving.end('two')
    await turn()
    expect((await read(arriving)).toString()).to.equal('one two')
  })

  it('are taken no faster than they are read', async () => {
    const arriving = new ArrivingBytes(100)
    let taken = 0
    for (let piece = 0; piece < 10; piece++) arriving.write(Buffer.alloc(60), () => taken++)
    await turn()
    expect(taken).to.equal(1)
    const pieces = arriving[Symbol.asyncIterator]()
    for (let piece = 0; piece < 3; piece++) expect((await pieces.next()).value).to.have.length(100)
    await turn()
    // 300 bytes are read and 100 wait, which are six pieces and a part of the seventh.
    expect(taken).to.equal(6)
  })

  it('stay as they are until the next are requested, whatever arrives meanwhile', async () => {
    const arriving = new ArrivingBytes(10)
    for (const letter of ['a', 'b', 'c']) arriving.write(letter.repeat(10))
    arriving.end()
    const pieces = arriving[Symbol.asyncIterator]()
    for (const letter of ['a', 'b', 'c']) {
      const next = await pieces.next()
      await turn()
      expect(Buffer.from(next.done === true ? '' : next.value).toString()).to.equal(letter.repeat(10))
    }
    expect((await pieces.next()).done).to.equal(true)
  })

  it('are not lost when they end while the last of them has no room yet', async () => {
    const arriving = new ArrivingBytes(4)
    arriving.end('a long piece')
    expect((await read(arriving)).toString()).to.equal('a long piece')
  })

  it('give the memory they came in back once they are copied, and not while the writer may still read it', async () => {
    const arriving = new ArrivingBytes(1_000_000)
    const first = Buffer.from(new ArrayBuffer(100_000))
    arriving.write(first)
    expect(first.byteLength).to.equal(100_000)
    arriving.end()
    await read(arriving)
    expect(first.byteLength).to.equal(0)
  })

  it('of the pool of small buffers leave what else lies there alone', async () => {
    const other = Buffer.from('kept')
    const arriving = new ArrivingBytes(1_000)
    arriving.end(Buffer.from('small'))
    expect((await read(arriving)).toString()).to.equal('small')
    expect(other.toString()).to.equal('kept')
  })

  it('that are given up end with the error, also for whoever waits for them', async () => {
    const arriving = new ArrivingBytes(1_000)
    arriving.on('error', () => undefined)
    const reading = errorOf(read(arriving))
    await turn()
    arriving.destroy(new Error('gone'))
    expect((await reading).message).to.equal('gone')
    expect((await errorOf(read(arriving))).message).to.equal('gone')
  })
})
