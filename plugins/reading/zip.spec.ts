import { expect } from 'chai'
import fc from 'fast-check'
import { faultOf } from '../../test/support/exec-sandbox.js'
import { writeZip, type ZipOptions } from '../../test/support/zip-writer.js'
import { reading } from './parse/read.js'
import { unzip } from './parse/zip.js'

const zip = (content: Buffer, { name = 'word/document.xml', ...options }: ZipOptions & { name?: string } = {}): Uint8Array =>
  writeZip({ [name]: content }, options)
const refused = async (bytes: Uint8Array): Promise<string> => {
  const { kind, message } = await faultOf(reading('document', () => unzip(bytes)))
  expect(kind).to.equal('invalid')
  return message
}

describe('reading: archives (T-49)', () => {
  it('gives what any ordinary one holds', async () => {
    const files = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z0-9/]{0,20}[a-z]$/).filter((name) => !name.includes('//')),
      fc.uint8Array(),
      { maxKeys: 5 },
    )
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const found = await unzip(writeZip(given))
        expect([...found].map(([name, content]) => [name, [...content]])).to.deep.equal(
          Object.entries(given).map(([name, bytes]) => [name, [...bytes]]),
        )
      }),
      { numRuns: 50 },
    )
  })
  it('T-49 refuses by declared size, by ratio and by number of files before unpacking', async () => {
    expect(await refused(zip(Buffer.from('x'), { unpacked: 200 << 20 }))).to.contain(`unpacks to more than ${100 << 20} bytes`)
    // Each is small enough for any compression ratio.
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`part${index}.xml`, 'x']))
    expect(await refused(writeZip(many, { unpacked: 1 << 20 }))).to.contain(`unpacks to more than ${100 << 20} bytes`)
    expect(await refused(zip(Buffer.alloc(5 << 20)))).to.contain('100 times its size')
    expect(await refused(zip(Buffer.from('x'), { count: 2001 }))).to.contain('more than 2000 files')
  })
  it('T-49 refuses one whose declared size lies', async () => {
    expect(await refused(zip(Buffer.alloc(1 << 20), { unpacked: 100 }))).to.contain('broken')
    expect(await refused(zip(Buffer.from('xy'), { unpacked: 100 }))).to.contain('broken')
  })
  it('T-49 refuses names outside, two files of one name, encryption and what is no archive', async () => {
    expect(await refused(zip(Buffer.from('x'), { name: '../../etc/x' }))).to.contain('broken')
    expect(await refused(zip(Buffer.from('x'), { name: '/etc/x' }))).to.contain('broken')
    const two = Buffer.from(writeZip({ 'a.xml': 'x', 'b.xml': 'y' }))
    expect(await refused(Buffer.from(two.toString('latin1').replaceAll('b.xml', 'a.xml'), 'latin1'))).to.contain('two files of one name')
    expect(await refused(zip(Buffer.from('x'), { flags: 1 }))).to.contain('encrypted')
    expect(await refused(Buffer.from('PK'))).to.contain('broken')
  })
})
