import { expect } from 'chai'
import sharp from 'sharp'
import { ARCHIVED, tar } from '../../../test/support/conversions/archives.js'
import { archived, drawn, holds, printed, says, told } from '../../../test/support/conversions/checks.js'
import { pdf } from '../../../test/support/conversions/pdf.js'
import { gradient, moving, SIZE } from '../../../test/support/conversions/pictures.js'
import { TEXTS, WORDS } from '../../../test/support/conversions/texts.js'
import { ConversionWorld, type Converted } from '../../../test/support/conversions/world.js'
import { needs } from '../../../test/support/exec-sandbox.js'
import { FORMATS } from '../formats/table.js'
import { ENGINES } from '../pairs/table.js'
import { assertHarmless, entriesOf } from './archive/listing.js'
import { writeZip } from '../../../test/support/zip-writer.js'
import { command } from './pandoc/command.js'

const ORDER = ['pandoc', 'imagemagick', 'calibre', 'ghostscript', 'libarchive', 'poppler'] as const

describe('files.convert: engines', function () {
  this.timeout(300_000)
  let world: ConversionWorld

  before(async function () {
    needs(this, 'pandoc', 'convert-im6.q16', 'ebook-convert', 'bsdtar', 'gs', 'pdftotext', 'bwrap')
    world = await ConversionWorld.start(...ORDER)
  })
  after(async () => {
    await world?.close()
  })

  const by = async (engine: (typeof ORDER)[number], from: string, to: string, data: string | Uint8Array): Promise<Converted> => {
    const made = await world.convert({ data, from, to })
    expect(made.engine).to.equal(engine)
    return made
  }

  it('pandoc makes a document of Markdown, and its pictures go with it into HTML', async () => {
    const picture = `data:image/png;base64,${(await gradient()).toString('base64')}`
    const docx = await by('pandoc', 'html', 'docx', `${TEXTS['html'] ?? ''}<p><img alt="one" src="${picture}"></p>`)
    await holds(WORDS)(docx.bytes, docx.name)
    const md = await by('pandoc', 'docx', 'md', docx.bytes)
    expect(md.bytes.toString()).to.match(/^one$/m).and.not.contain('media/')
    expect(md.notes.join()).to.contain('Pictures were left out')
    const html = await by('pandoc', 'docx', 'html', docx.bytes)
    await says(WORDS)(html.bytes, html.name)
    const again = /src="data:image\/png;base64,([^"]+)"/.exec(html.bytes.toString())?.[1] ?? ''
    await drawn(SIZE)(Buffer.from(again, 'base64'), 'picture')
  })

  it('F17 a title is that of the document, else its first heading or the beginning of its text, and never made up', async () => {
    const titleOf = async (to: string, text: string): Promise<string | undefined> => {
      const { bytes } = await by('pandoc', 'md', to, text)
      const page = to === 'epub' ? told('bsdtar', ['-xOf', 'result', 'EPUB/content.opf'], bytes) : bytes.toString()
      return /<(?:dc:)?title(?: id="[^"]*")?>([^<]*)</.exec(page)?.[1]
    }
    for (const to of ['html', 'xhtml', 'dzslides', 'epub']) {
      expect(await titleOf(to, '---\ntitle: Own name\n---\n\n# Other\n\nwords\n'), to).to.equal('Own name')
      expect(await titleOf(to, 'words before\n\n# The *first* heading\n\n# Other\n'), to).to.equal('The first heading')
      expect(await titleOf(to, `${'ä'.repeat(79)}öü\n`), to).to.equal(`${'ä'.repeat(79)}ö`)
    }
    const html = await by('pandoc', 'md', 'html', 'only words\n')
    expect(html.bytes.toString().match(/only words/g)).to.have.length(2)
    expect(html.bytes.toString()).to.not.contain('class="title"')
  })

  it('ImageMagick makes a picture of another, what is transparent white', async () => {
    const { bytes } = await by('imagemagick', 'png', 'pcx', await gradient())
    const back = await by('imagemagick', 'pcx', 'png', bytes)
    await drawn({ ...SIZE, colour: [128, 124, 123] })(back.bytes, back.name)
  })

  it('ImageMagick takes all frames into a format that has them, the first into others, and pages into a ZIP archive', async () => {
    const gif = await moving()
    const tiff = await by('imagemagick', 'gif', 'tiff', gif)
    expect((await sharp(tiff.bytes).metadata()).pages).to.equal(3)
    const first = await by('imagemagick', 'gif', 'png', gif)
    expect(first.name).to.match(/\.png$/)
    await drawn({ width: 40, height: 30, colour: [255, 0, 0] })(first.bytes, first.name)
    const pages = await by('imagemagick', 'tiff', 'png', tiff.bytes)
    expect(pages.name).to.match(/-png\.zip$/)
    expect(told('bsdtar', ['-tf', 'result'], pages.bytes).trim().split('\n')).to.have.length(3)
  })

  it('ImageMagick takes the largest picture of an icon', async () => {
    const icon = await by(
      'imagemagick',
      'png',
      'ico',
      await sharp(await gradient())
        .resize(600)
        .png()
        .toBuffer(),
    )
    const back = await by('imagemagick', 'ico', 'png', icon.bytes)
    await drawn({ width: 256 })(back.bytes, back.name)
  })

  it('calibre makes a book that has its words', async () => {
    const book = await by('calibre', 'html', 'mobi', TEXTS['html'] ?? '')
    const text = await by('calibre', 'mobi', 'txt', book.bytes)
    await says(WORDS)(text.bytes, text.name)
  })

  it('libarchive puts files and links of an archive into another', async () => {
    const entries = [
      { name: ARCHIVED.name, data: ARCHIVED.content },
      { name: 'Grüße', type: '2', link: 'sample.txt' },
    ]
    const { bytes, name } = await by('libarchive', 'tar', 'zip', tar(entries))
    await archived(ARCHIVED.name, ARCHIVED.content)(bytes, name)
    expect(told('bsdtar', ['-tvf', 'result'], bytes)).to.contain('Grüße -> sample.txt')
  })

  it('F15 names of a ZIP file in a code page are read by what they can be, with a note', async () => {
    const zipped = (...names: string[]): Buffer =>
      names.reduce(
        (zip, name, at) => Buffer.from(zip.toString('latin1').replaceAll(String(at).repeat(name.length), name), 'latin1'),
        Buffer.from(writeZip(Object.fromEntries(names.map((name, at) => [String(at).repeat(name.length), 'text'])))),
      )
    for (const [made, names, page] of [
      [zipped('\x93n\x91D/\x8e\x9e\x8d\x8f\x95\\.txt', '\x93n\x91D/\x93\xc7\x82\xf1.txt'), ['渡船/時刻表.txt', '渡船/読ん.txt'], 'CP932'],
      [zipped('F\x84hre/\x9abersicht.txt', 'caf\x82.txt'), ['Fähre/Übersicht.txt', 'café.txt'], 'CP437'],
      [zipped('\x91\xe7\xf1\xe2.txt'), ['Счёт.txt'], 'CP866'],
    ] as const) {
      const { bytes, notes } = await by('libarchive', 'zip', 'tar', made)
      expect(told('bsdtar', ['-tf', 'result'], bytes).trim().split('\n')).to.have.members([...names])
      expect(notes).to.have.length(1)
      expect(notes[0]).to.contain(`(${page})`)
    }
  })

  it('libarchive says what the target cannot hold', async () => {
    const folders = tar([
      { name: 'a/', type: '5' },
      { name: 'a/b.txt', data: 'b' },
    ])
    const reply = await world.ask({ data: folders, from: 'tar', to: 'ar' })
    expect(reply.status, reply.text).to.equal(422)
    expect(reply.text).to.contain('holds folders')
  })

  it('Ghostscript makes a PDF of PostScript, and pictures of its pages', async () => {
    const { bytes, name } = await by('ghostscript', 'ps', 'pdf', TEXTS['ps'] ?? '')
    await printed('Page two')(bytes, name)
    expect((await by('ghostscript', 'ps', 'png', TEXTS['ps'] ?? '')).name).to.match(/-png\.zip$/)
  })

  it('Poppler makes PostScript of a PDF', async () => {
    expect((await by('poppler', 'pdf', 'ps', pdf([WORDS.slice(0, 17)]))).bytes.toString('latin1', 0, 2)).to.equal('%!')
  })
})

describe('files.convert: tables of engines', () => {
  it('every format of a pair stands in the table of formats', () => {
    const known = new Set(FORMATS.map(({ id }) => id))
    const named = ENGINES.flatMap(({ targets }) => [...targets].flatMap(([from, to]) => [from, ...to]))
    expect([...new Set(named)].filter((id) => !known.has(id))).to.deep.equal([])
  })

  it('no document becomes a list of references', () => {
    expect(command('md', 'bib')).to.equal(null)
    expect(command('bib', 'html')).to.include('--citeproc')
    expect(command('bib', 'csljson')).to.not.include('--citeproc')
  })

  it('a list of an archive is read with names in any letters', () => {
    const entries = entriesOf('#mtree\n./Gr\\303\\274\\303\\237e\\040b.txt type=file size=6\n./l type=link link=a\\040b\n')
    expect(entries).to.deep.equal([
      { path: './Grüße b.txt', type: 'file', size: 6, link: null },
      { path: './l', type: 'link', size: 0, link: 'a b' },
    ])
    expect(() => assertHarmless(entries, { bytes: 100, flat: false })).to.not.throw()
    expect(() => assertHarmless(entries, { bytes: 100, flat: true })).to.throw('holds folders')
  })
})
