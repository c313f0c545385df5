import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { TooLarge, type BlobStore } from '../../../core/files/blobs.js'
import { errorOf } from '../../support/unit.js'

/** A place to test, with a way to see what lies in it that does not go through it. */
export interface Place {
  readonly blobs: BlobStore
  /** Names of everything that is there, however half it may be. */
  names(): Promise<string[]>
  close(): Promise<void>
}

const ID = 'abcdefghij1234567890AB'

async function* chunks(...parts: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield await Promise.resolve(part)
  }
}

/** As many whole pieces as have so many bytes. */
async function* limited(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const piece of pieces) {
    yield piece
    left -= piece.length
    if (left <= 0) return
  }
}

async function bytesOf(blob: { body: AsyncIterable<Uint8Array> } | null): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of blob?.body ?? []) parts.push(part)
  return Buffer.concat(parts)
}

const sha = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** What every place for artifacts holds to. */
export function blobConformance(name: string, open: () => Promise<Place>): void {
  describe(`a place for artifacts: ${name}`, () => {
    let place: Place
    let blobs: BlobStore
    beforeEach(async () => {
      place = await open()
      blobs = place.blobs
      await blobs.check()
    })
    afterEach(async () => await place.close())

    it('is empty after its check, which leaves nothing behind', async () => {
      expect(await place.names()).to.deep.equal([])
    })

    for (const size of [0, 1, 65_537, 1_048_577, 3_500_000])
      it(`gives back ${size} bytes as they were written, in chunks of any size`, async () => {
        const data = randomBytes(size)
        const cuts = [0, Math.min(1, size), Math.ceil(size / 3), Math.ceil(size / 3), size]
        const parts = cuts.map((cut, index) => data.subarray(index === 0 ? 0 : cuts[index - 1], cut))
        expect(await blobs.write(ID, chunks(...parts), size)).to.equal(size)
        const blob = await blobs.read(ID)
        expect(blob?.size).to.equal(size)
        expect(sha(await bytesOf(blob))).to.equal(sha(data))
      })

    it('keeps no piece for later: whoever writes may use its memory again', async () => {
      const data = randomBytes(2_500_000)
      const reused = async function* () {
        const piece = Buffer.alloc(50_000)
        for (let at = 0; at < data.length; at += piece.length) {
          data.copy(piece, 0, at)
          yield await Promise.resolve(piece)
          piece.fill(0)
        }
      }
      await blobs.write(ID, reused(), data.length)
      expect(sha(await bytesOf(await blobs.read(ID)))).to.equal(sha(data))
      const short = data.subarray(0, 500_000)
      const other = ID.replace('a', 'b')
      await blobs.write(other, limited(reused(), short.length), short.length)
      expect(sha(await bytesOf(await blobs.read(other)))).to.equal(sha(short))
    })

    it('has null for what is not there, and deletes it without complaint', async () => {
      expect(await blobs.read(ID)).to.equal(null)
      await blobs.remove(ID)
      await blobs.write(ID, chunks(Buffer.from('x')), 1)
      await blobs.remove(ID)
      expect(await blobs.read(ID)).to.equal(null)
      await blobs.remove(ID)
      expect(await place.names()).to.deep.equal([])
    })

    for (const many of [60, 2_000_000])
      it(`T-59 takes no byte more than it may, and F-22 keeps nothing of what is too large (${many} bytes and one)`, async () => {
        const data = [Buffer.alloc(many), Buffer.alloc(1)]
        expect(await errorOf(blobs.write(ID, chunks(...data), many))).to.be.instanceOf(TooLarge)
        expect(await place.names()).to.deep.equal([])
        expect(await blobs.read(ID)).to.equal(null)
        expect(await blobs.write(ID, chunks(...data), many + 1)).to.equal(many + 1)
      })

    for (const many of [3, 2_000_000])
      it(`F-22 keeps nothing of a stream that breaks after ${many} bytes, and rejects with its error`, async () => {
        const cut = new Error('cut')
        expect(await errorOf(blobs.write(ID, chunks(Buffer.alloc(many), cut), 9_000_000))).to.equal(cut)
        expect(await place.names()).to.deep.equal([])
      })

    it('leaves the source alone once it has failed: its end is reported', async () => {
      let ended = false
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield await Promise.resolve(Buffer.alloc(1_000))
        } finally {
          ended = true
        }
      }
      expect(await errorOf(blobs.write(ID, endless(), 10_000))).to.be.instanceOf(TooLarge)
      expect(ended).to.equal(true)
    })

    it('keeps files written at once apart', async () => {
      const files = Array.from({ length: 12 }, (_, index) => ({ id: `${ID}${index}`, data: randomBytes(20_000 + index) }))
      await Promise.all(files.map(({ id, data }) => blobs.write(id, chunks(data), 100_000)))
      for (const { id, data } of files) expect(sha(await bytesOf(await blobs.read(id)))).to.equal(sha(data))
      expect(await place.names()).to.have.length(12)
    })

    it('T-60 takes no name that is not one of our ids', async () => {
      for (const id of [
        '../../../etc/passwd',
        'ab/cdefghijkl',
        '',
        'short',
        'abcdefghij\u0000',
        'abcdefghij?acl',
        'a'.repeat(65),
        '..........',
      ]) {
        expect(await errorOf(blobs.read(id)), id).to.be.instanceOf(TypeError)
        expect(await errorOf(blobs.write(id, chunks(Buffer.from('x')), 10)), id).to.be.instanceOf(TypeError)
        expect(await errorOf(blobs.remove(id)), id).to.be.instanceOf(TypeError)
      }
      expect(await place.names()).to.deep.equal([])
    })

    it('lets a reader leave in the middle, and serves the next one', async () => {
      const data = randomBytes(3_000_000)
      await blobs.write(ID, chunks(data), data.length)
      for (let round = 0; round < 5; round++) {
        const blob = await blobs.read(ID)
        expect(blob?.body).to.be.instanceOf(Readable, 'closed by its reader even when nothing was read')
        if (round % 2 === 0) (blob?.body as Readable).destroy()
        else for await (const chunk of blob?.body ?? []) if (chunk.length > 0) break
      }
      expect(sha(await bytesOf(await blobs.read(ID)))).to.equal(sha(data))
    })
  })
}
