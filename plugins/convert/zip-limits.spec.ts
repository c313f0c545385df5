import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { writeZip } from '../../test/support/zip-writer.js'
import { peek } from './formats/shape.js'
import { assertUnpacks } from './zip-limits.js'

describe('T-49 files.convert: what the archive of a document unpacks to', () => {
  const why = async (data: Uint8Array): Promise<string> => {
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(data)
    }
    const seen = await peek(stream())
    try {
      assertUnpacks(seen)
      return 'taken'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const files = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), 'x']))

  it('has 2,000 parts at most, whatever its end says', async () => {
    expect(await why(writeZip(files(2_000)))).to.equal('taken')
    expect(await why(writeZip(files(2_001)))).to.contain('more than 2000 parts')
    expect(await why(writeZip(files(2_001), { count: 1 }))).to.contain('more than 2000 parts')
  })

  it('has no part of more than a hundred times its size, unless it is small', async () => {
    expect(await why(writeZip({ a: Buffer.alloc(1024 * 1024) }))).to.equal('taken')
    expect(await why(writeZip({ a: Buffer.alloc(1024 * 1024 + 1) }))).to.contain('100 times')
  })

  it('grows by 100 MiB at most, and pictures that do not grow count nothing', async () => {
    const grown = (parts: number): Uint8Array => {
      const part = randomBytes(64 * 1024)
      return writeZip(Object.fromEntries(Array.from({ length: parts }, (_, at) => [String(at), part])), { unpacked: 2 * 1024 * 1024 })
    }
    expect(await why(grown(51))).to.equal('taken')
    expect(await why(grown(52))).to.contain('100 MiB beyond')
    expect(await why(writeZip({ a: randomBytes(8 * 1024 * 1024) }, { unpacked: 108 * 1024 * 1024 }))).to.equal('taken')
    expect(await why(writeZip({ a: randomBytes(8 * 1024 * 1024) }, { unpacked: 109 * 1024 * 1024 }))).to.contain('100 MiB beyond')
    expect(await why(writeZip({ a: 'a' }, { unpacked: 0xffffffff }))).to.contain('100 MiB beyond')
  })

  it('is refused when parts share their bytes, when it is encrypted, and when it has no end', async () => {
    const shared = Buffer.from(writeZip({ a: randomBytes(5_000) }))
    shared.writeUInt32LE(50_000, shared.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 20)
    expect(await why(shared)).to.contain('larger than the archive')
    expect(await why(writeZip({ a: 'a' }, { flags: 1 }))).to.contain('password')
    expect(await why(Buffer.from('PK\x03\x04 cut'))).to.contain('no end')
  })
})
