import { expect } from 'chai'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FolderBlobs } from '../../../core/files/folder.js'
import { openBlobs } from '../../../core/files/open.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

const ID = 'abcdefghij1234567890AB'
async function* pieces(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size, 97))
}

describe('artifacts in a folder', () => {
  let folder: TemporaryFolder
  let blobs: FolderBlobs
  beforeEach(async () => {
    folder = new TemporaryFolder()
    blobs = new FolderBlobs(folder.path)
    await blobs.check()
  })
  afterEach(() => folder.remove())

  it('are readable to nobody else', async () => {
    await blobs.write(ID, pieces(3, 0, 5), 8)
    expect(statSync(join(folder.path, 'ab', ID)).mode & 0o077).to.equal(0)
  })

  it('a half-written file of a gateway that died is deleted with its artifact', async () => {
    mkdirSync(join(folder.path, 'ab'))
    void (await blobs.write(ID, pieces(1), 10))
    writeFileSync(join(folder.path, 'ab', `${ID}.partial`), 'half')
    await blobs.remove(ID)
    expect(readdirSync(join(folder.path, 'ab'))).to.deep.equal([])
  })

  it('is opened by a setting that names the folder, and refuses unknown ones', () => {
    const unused = () => expect.fail('a folder needs no object store')
    expect(openBlobs('file:blobs', '/data', unused).describe()).to.equal('local folder /data/blobs')
    expect(openBlobs('file:/far', '/data', unused).describe()).to.equal('local folder /far')
    expect(() => openBlobs('nonsense', '/data', unused)).to.throw(RangeError, 'file:')
  })

  it('the check fails where it cannot be written', async () => {
    const file = join(folder.path, 'a-file')
    writeFileSync(file, '')
    await errorOf(new FolderBlobs(join(file, 'below')).check())
  })
})
