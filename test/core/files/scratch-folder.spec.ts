import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { base64Bytes } from '../../../core/dispatch/scratch.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { Fault } from '../../../core/sdk/index.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
async function* pieces(...each: (string | Error | (() => Promise<unknown>))[]): AsyncGenerator<Uint8Array> {
  for (const piece of each) {
    if (piece instanceof Error) throw piece
    if (typeof piece === 'string') yield Buffer.from(piece)
    else await piece()
  }
}

describe('the files of a call', () => {
  let home: TemporaryFolder
  let usual: string
  let folder: ScratchFolder
  const left = (): string[] => readdirSync(home.path, { recursive: true, withFileTypes: true }).map(({ name }) => name)
  const filesLeft = (): number => left().filter((name) => !name.startsWith('job-')).length
  beforeEach(() => {
    home = new TemporaryFolder()
    usual = tmpdir()
    process.env['TMPDIR'] = home.path
    folder = new ScratchFolder(10)
  })
  afterEach(async () => {
    await folder.close()
    process.env['TMPDIR'] = usual
    home.remove()
  })

  it('are read as they were written, also the empty one', async () => {
    const [one, empty] = await Promise.all([folder.write(pieces('ab', '', 'cd')), folder.write([])])
    expect([one.size, empty.size]).to.deep.equal([4, 0])
    expect((await bytesOf(folder.read(one))).toString()).to.equal('abcd')
    expect((await bytesOf(folder.read(empty))).length).to.equal(0)
  })

  it('are had whole up to a bound, which a refusal names whatever size their holder says, and from their beginning', async () => {
    const file = await folder.write(pieces('ab', 'cd'))
    const empty = await folder.write([])
    expect((await folder.bytes(file, 4)).toString()).to.equal('abcd')
    expect((await folder.bytes(empty, 0)).length).to.equal(0)
    const error = await errorOf(folder.bytes({ ...file, size: 1 }, 3))
    expect(error).to.be.instanceOf(Fault).with.property('kind', 'invalid')
    expect(String(error)).to.contain('larger than 3 bytes')
    expect((await folder.head(file, 3)).toString()).to.equal('abc')
    expect((await folder.head(file, 9)).toString()).to.equal('abcd')
    expect((await folder.head(empty, 9)).length).to.equal(0)
    await folder.remove(file)
    for (const late of [folder.bytes(file, 9), folder.head(file, 9)]) expect(await errorOf(late)).to.be.instanceOf(TypeError)
  })

  it('make no folder before the first is written', async () => {
    await folder.close()
    expect(left()).to.deep.equal([])
  })

  it('take no more than the limit together, however many are written at once, and the error names the setting', async () => {
    const written = await Promise.allSettled(Array.from({ length: 5 }, () => folder.write(pieces('abc', 'd'))))
    expect(written.filter(({ status }) => status === 'fulfilled').length).to.be.within(1, 2)
    const error = await errorOf(folder.write(pieces('abcdefghijk')))
    expect(error).to.be.instanceOf(Fault).with.property('kind', 'invalid')
    expect(String(error)).to.contain('limits.scratch')
  })

  it('that are refused or break off leave no byte and give their room back', async () => {
    expect(String(await errorOf(folder.write(pieces('abc', 'def'), 5)))).to.contain('larger than 5 bytes')
    expect(await errorOf(folder.write(pieces('abcdefgh', new Error('cut'))))).to.have.property('message', 'cut')
    expect(filesLeft()).to.equal(0)
    expect((await folder.write(pieces('abcdefghij'))).size).to.equal(10)
  })

  it('that are removed make room and are not read any more', async () => {
    const file = await folder.write(pieces('abcdefghij'))
    await folder.remove(file)
    expect(filesLeft()).to.equal(0)
    expect(() => folder.read(file)).to.throw(TypeError, 'removed')
    expect(await errorOf(folder.remove(file))).to.be.instanceOf(TypeError)
    expect((await folder.write(pieces('abcdefghij'))).size).to.equal(10)
  })

  it('are good in their own call alone', async () => {
    const file = await folder.write(pieces('a'))
    expect(() => new ScratchFolder(10).read(file)).to.throw(TypeError, 'another call')
    expect(() => folder.read({ id: '../../etc/passwd', size: 1 })).to.throw(TypeError)
  })

  it('are gone when the call ends, also the one that was being written', async () => {
    await folder.write(pieces('abc'))
    const error = await errorOf(folder.write(pieces('de', () => folder.close(), 'f')))
    expect(error).to.be.instanceOf(Fault)
    expect(left()).to.deep.equal([])
    expect(await errorOf(folder.write(pieces('x')))).to.be.instanceOf(Fault)
    expect(left()).to.deep.equal([])
  })

  it('a folder that cannot be made fails the write and not the end of the call', async () => {
    process.env['TMPDIR'] = `${home.path}/absent`
    expect(await errorOf(folder.write(pieces('x')))).to.be.instanceOf(Error)
    expect(existsSync(`${home.path}/absent`)).to.equal(false)
    process.env['TMPDIR'] = home.path
    expect((await folder.write(pieces('x'))).size, 'the next file').to.equal(1)
    await folder.close()
    expect(left()).to.deep.equal([])
  })
})

describe('Base64 text', () => {
  it('of any length gives its bytes in pieces', () => {
    for (const length of [0, 1, 2, 3, 4, 5, 196_607, 196_608, 196_609, 500_001]) {
      const data = Buffer.alloc(length, 'capstan!')
      expect(Buffer.concat([...base64Bytes(data.toString('base64'))]).equals(data), `${length} bytes`).to.equal(true)
    }
  })

  it('that is something else is refused, wherever the fault lies', () => {
    const long = Buffer.alloc(300_000).toString('base64')
    for (const text of [
      'a',
      'abc',
      'ab=c',
      '====',
      'a===',
      'ab c',
      'YWJj\n',
      'YW-_',
      `${long.slice(0, 4)}?${long.slice(5)}`,
      `AA==${long}`,
      `${long.slice(1)}é`,
    ])
      expect(() => [...base64Bytes(text)], text.slice(0, 20))
        .to.throw(Fault)
        .with.property('kind', 'invalid')
  })
})
