import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noCallFiles } from '../../../test/support/call-files.js'
import { told } from '../../../test/support/conversions/checks.js'
import { archives, books, markup, pictures, postscript, type Canaries, type Hostile } from '../../../test/support/conversions/hostile.js'
import { ConversionWorld } from '../../../test/support/conversions/world.js'
import { needs } from '../../../test/support/exec-sandbox.js'

const SECRET = 'canary-7c1d9e'
/** A file visible in the sandbox, and a word that occurs only in it. */
const SYSTEM = { path: '/etc/fonts/fonts.conf', word: 'fontconfig' }
const EVIL = ['/tmp/capstan-evil', '/tmp/capstan-evil.html', '/tmp/capstan-evil.png', '/tmp/evil.txt']

describe('T-49 T-51 files.convert: hostile files', function () {
  this.timeout(300_000)
  let folder: string
  let world: ConversionWorld
  let canaries: Canaries

  before(async function () {
    needs(this, 'pandoc', 'convert-im6.q16', 'ebook-convert', 'bsdtar', 'gs', 'pdftotext', 'bwrap')
    folder = await mkdtemp('/tmp/capstan-canary-')
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'canary'), SECRET)
    world = await ConversionWorld.start('pandoc', 'imagemagick', 'calibre', 'ghostscript', 'libarchive')
    canaries = { file: join(folder, 'canary'), system: SYSTEM.path, url: `${world.url}/canary` }
  })
  after(async () => {
    await world?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  /** Converts a file and checks the outcome; returns `refused` or `converted`. */
  const tried = async ({ what, data, from, to, ends, says }: Hostile): Promise<void> => {
    const reply = await world.ask({ data, from, to })
    expect(world.hits, `${what}: asked for`).to.deep.equal([])
    expect(EVIL.filter(existsSync), `${what}: wrote`).to.deep.equal([])
    if (reply.status !== 200) {
      expect(ends, `${what}: ${reply.text}`).to.not.equal('converted')
      expect(reply.status, `${what}: ${reply.text}`).to.equal(422)
      expect(reply.headers['x-credits-used'], what).to.equal('0')
      if (says !== undefined) expect(reply.text, what).to.match(says)
      return
    }
    expect(ends, what).to.not.equal('refused')
    const address = reply.json<{ data: { file_url: string } }>().data.file_url
    const text = shown(Buffer.from(await (await fetch(address)).arrayBuffer()))
    expect(text, what).to.not.contain(SECRET).and.not.contain('written by script')
    expect(text.replaceAll(SYSTEM.path, ''), what).to.not.contain(SYSTEM.word)
  }
  const all = async (of: (canaries: Canaries) => readonly Hostile[]): Promise<void> => {
    for (const each of of(canaries)) await tried(each)
  }

  it('texts include, embed and fetch nothing', async () => {
    await all(markup)
  })
  it('scripts and drawings under the name of a picture are refused, and so are pictures larger than they look', async () => {
    await all(pictures)
  })
  it('books read nothing outside of themselves', async () => {
    await all(books)
  })
  it('archives that lead out, or hold more than they look like, are refused', async () => {
    await all(archives)
  })
  it('programs in PostScript read, write and start nothing', async () => {
    await all(postscript)
  })
  it('the name in the address is never passed to a program', async () => {
    for (const name of ['@canary.png', '%7Cid.png', 'label:@canary.png', '-write%20x.png', '..%2F..%2Fx.png']) {
      const reply = await world.ask({ data: 'P3 1 1 255 9 9 9\n', from: 'ppm', to: 'png', name })
      expect(reply.status, `${name}: ${reply.text}`).to.equal(200)
    }
  })
  it('T-52 leaves no file behind', async () => {
    await noCallFiles(world.folder)
  })
})

/** All text of a result: for an archive that of its files, for a PDF also its glyphs. */
function shown(bytes: Buffer): string {
  const raw = bytes.toString('latin1')
  if (raw.startsWith('PK')) return raw + told('bsdtar', ['-xOf', 'result'], bytes)
  return raw.startsWith('%PDF') ? raw + told('pdftotext', ['result', '-'], bytes) : raw
}
