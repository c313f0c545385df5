import { expect } from 'chai'
import sharp from 'sharp'
import { told } from '../../test/support/conversions/checks.js'
import { ConversionWorld, type Converted } from '../../test/support/conversions/world.js'
import { needs } from '../../test/support/exec-sandbox.js'

/** All orientations, formats and engines instead of one of each; CAPSTAN_TEST_KEPT=all for the full run. */
const ALL = process.env.CAPSTAN_TEST_KEPT === 'all'

const page = (body: string): string => `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${body}`
const FICTION = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><genre>prose</genre><author><first-name>First</first-name><last-name>Last</last-name></author><book-title>Rope</book-title><lang>en</lang></title-info></description><body><section>${body}</section></body></FictionBook>`

/** Red above blue when shown upright. */
async function photo(orientation: number, format: 'jpeg' | 'tiff' | 'webp' | 'png'): Promise<Buffer> {
  const upright = sharp({ create: { width: 40, height: 60, channels: 3, background: '#0000ff' } }).composite([
    { input: { create: { width: 40, height: 30, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ])
  const bytes = await upright.png().toBuffer()
  const stored = () => sharp(bytes)
  // The pixels a camera stores so that rotating by its orientation restores the picture (EXIF 2.32, 4.6.5).
  const turned = {
    1: stored(),
    2: stored().flop(),
    3: stored().rotate(180),
    4: stored().flip(),
    5: stored().flip().rotate(90),
    6: stored().rotate(270),
    7: stored().flip().rotate(270),
    8: stored().rotate(90),
  }[orientation]
  if (turned === undefined) throw new Error(`there is no orientation ${String(orientation)}`)
  const bare = await turned.png().toBuffer()
  return await sharp(bare).withMetadata({ orientation }).toFormat(format).toBuffer()
}

interface Drawn {
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => number[]
}

/** The first page of a PDF, as pixels. */
async function drawnPage(pdf: Buffer, { trim = false } = {}): Promise<Drawn> {
  const picture = Buffer.from(told('pdftoppm', ['-r', '144', '-png', '-singlefile', 'result'], pdf, 'latin1'), 'latin1')
  const shown = trim ? await sharp(picture).trim({ background: '#ffffff' }).png().toBuffer() : picture
  const { data, info } = await sharp(shown).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): number[] => {
    const start = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels
    return [...data.subarray(start, start + 3)]
  }
  return { width: info.width, height: info.height, at }
}

const textOf = (pdf: Buffer): string => told('pdftotext', ['-layout', '-enc', 'UTF-8', 'result', '-'], pdf)
const inZip = (bytes: Buffer): string[] => told('bsdtar', ['-tf', 'result'], bytes).trim().split('\n')
const part = (bytes: Buffer, name: string): string => told('bsdtar', ['-xOf', 'result', name], bytes)

describe('files.convert keeps what the source has', function () {
  this.timeout(300_000)
  let world: ConversionWorld

  before(async function () {
    needs(this, 'chromium-headless-shell', 'soffice', 'pandoc', 'convert-im6.q16', 'ebook-convert', 'pdftoppm', 'bsdtar', 'bwrap')
    world = await ConversionWorld.start()
  })
  after(async () => {
    await world?.close()
  })
  const made = async (from: string, to: string, data: string | Uint8Array): Promise<Converted> => await world.convert({ data, from, to })

  it('N6 a page becomes PDF and picture as a browser shows it, with its styles and scripts', async () => {
    const styled = page(
      `<div style="height:100px;background:linear-gradient(90deg,#c00,#c00)"></div><p id="a"></p><script>document.getElementById('a').textContent='made by a script'</script>`,
    )
    const pdf = await made('html', 'pdf', styled)
    expect(pdf.engine).to.equal('chromium')
    expect(textOf(pdf.bytes)).to.contain('made by a script')
    const { at } = await drawnPage(pdf.bytes)
    expect(at(0.5, 0.07)).to.deep.equal([204, 0, 0])
    const png = await made('html', 'png', page('<div style="height:3000px;background:#00f"></div>'))
    expect(png.engine).to.equal('chromium')
    expect(await sharp(png.bytes).metadata()).to.include({ width: 1280, height: 3000 })
  })

  it('N6 a page that leaves for another address is not taken for the file', async () => {
    const reply = await world.ask({
      data: page(`<p>words</p><script>location.href='https://else.invalid/'</script>`),
      from: 'html',
      to: 'webp',
    })
    expect(reply.status, reply.text).to.not.equal(200)
  })

  for (const orientation of ALL ? [1, 2, 3, 4, 5, 6, 7, 8] : [7])
    it(`F12 a JPEG of orientation ${String(orientation)} is upright in a PDF`, async () => {
      const { bytes } = await made('jpeg', 'pdf', await photo(orientation, 'jpeg'))
      const { width, height, at } = await drawnPage(bytes, { trim: true })
      expect(width / height).to.be.closeTo(40 / 60, 0.05)
      expect(at(0.5, 0.2)[0], 'red above').to.be.greaterThan(200)
      expect(at(0.5, 0.8)[2], 'blue below').to.be.greaterThan(200)
    })

  it('F12 a JPEG of any orientation is upright in the picture that goes into a PDF', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { bytes } = await made('jpeg', 'png', await photo(orientation, 'jpeg'))
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const at = (y: number): number[] => [...data.subarray((y * info.width + 20) * info.channels).subarray(0, 3)]
      expect([info.width, info.height], String(orientation)).to.deep.equal([40, 60])
      expect(at(10)[0], `${String(orientation)}: red above`).to.be.greaterThan(200)
      expect(at(50)[2], `${String(orientation)}: blue below`).to.be.greaterThan(200)
    }
  })

  for (const format of ALL ? (['tiff', 'webp', 'png'] as const) : (['tiff'] as const))
    it(`F12 a ${format} of orientation 6 is upright in a PDF`, async () => {
      const { at, width, height } = await drawnPage((await made(format, 'pdf', await photo(6, format))).bytes, { trim: true })
      expect(width).to.be.lessThan(height)
      expect(at(0.5, 0.2)[0]).to.be.greaterThan(200)
    })

  it('F12 a picture in a drawing of LibreOffice is upright', async () => {
    const { bytes } = await made('jpeg', 'odg', await photo(6, 'jpeg'))
    const [width, height] = ['width', 'height'].map((side) =>
      Number(new RegExp(`svg:${side}="([\\d.]+)`).exec(part(bytes, 'content.xml'))?.[1]),
    )
    expect(width).to.be.lessThan(height ?? 0)
  })

  it('F6 all pages of a TIFF become pictures in a ZIP, and frames', async () => {
    const pages = await made('gif', 'tiff', await moving([100, 700, 300]))
    expect((await sharp(pages.bytes).metadata()).pages).to.equal(3)
    for (const to of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const { bytes, name } = await made('tiff', to, pages.bytes)
      if (to === 'png' || to === 'jpeg') expect(inZip(bytes), name).to.have.length(3)
      else expect((await sharp(bytes).metadata()).pages, to).to.equal(3)
    }
  })

  it('F6 all pages of a TIFF become pages of a PDF', async () => {
    const pages = await made('gif', 'tiff', await moving([100, 700, 300]))
    const pdf = await made('tiff', 'pdf', pages.bytes)
    expect(pdf.engine).to.equal('sharp')
    expect(told('pdfinfo', ['result'], pdf.bytes)).to.match(/^Pages: +3$/m)
    expect(pdf.notes).to.deep.equal([])
  })

  it('F6 an animation keeps its times and what is transparent, and where one picture of it is taken the answer says so', async () => {
    const gif = await moving([100, 700, 300])
    const webp = await made('gif', 'webp', gif)
    const { delay, pages, hasAlpha } = await sharp(webp.bytes, { animated: true }).metadata()
    expect({ delay, pages, hasAlpha }).to.deep.equal({ delay: [100, 700, 300], pages: 3, hasAlpha: true })
    for (const to of ['png', 'pdf', 'bmp']) {
      const reply = await world.ask({ data: gif, from: 'gif', to })
      expect(reply.json<{ metadata: { notes?: string[] } }>().metadata.notes?.join(), to).to.contain(
        'holds 3 pictures; the result is the first',
      )
    }
  })

  it('F11 cells of CSV and TSV stay as they are written in sheets, and no formula is live', async () => {
    const cells = [
      '007',
      '12345678901234567890',
      '3/4',
      '1-2',
      '03/04/2026',
      '1240.00',
      '+4712345',
      '1E5',
      'TRUE',
      '=1+1',
      '=HYPERLINK("x")',
    ]
    for (const [from, separator] of ALL
      ? ([
          ['csv', ';'],
          ['tsv', '\t'],
        ] as const)
      : ([['tsv', '\t']] as const)) {
      const table = `name${separator}plain\n${cells.map((cell) => `${cell}${separator}12.5\n`).join('')}`
      const xlsx = await made(from, 'xlsx', table)
      const texts = part(xlsx.bytes, 'xl/sharedStrings.xml').replaceAll('&quot;', '"')
      for (const cell of cells) expect(texts, cell).to.contain(`>${cell}</t>`)
      const sheet = part(xlsx.bytes, 'xl/worksheets/sheet1.xml')
      expect(sheet).to.contain('<v>12.5</v>').and.not.contain('<f')
    }
    const ods = part((await made('csv', 'ods', `a,b\n${cells[0] ?? ''},=1+1\n`)).bytes, 'content.xml')
    expect(ods).to.contain('<text:p>007</text:p>').and.contain('<text:p>=1+1</text:p>').and.not.contain('table:formula')
    if (!ALL) return
    const xls = await made('csv', 'xls', 'a,b\n007,=1+1\n')
    expect((await made('xls', 'csv', xls.bytes)).bytes.toString()).to.equal('a,b\n007,=1+1\n')
  })

  it('F11 a PDF of a table has its cells as they are written, and no header or footer', async () => {
    const text = textOf((await made('csv', 'pdf', 'id,date\n0004,03/04/2026\n1240.00,=1+1\n')).bytes)
    for (const cell of ['0004', '03/04/2026', '1240.00', '=1+1']) expect(text).to.contain(cell)
    expect(text).to.not.match(/document|Page/)
  })

  it('F23 DocBook 5, with and without a prefix, and DocBook 4 become documents that have their text', async () => {
    const words = 'The hemp comes from the valley.'
    for (const [at, book] of [
      `<article xmlns="http://docbook.org/ns/docbook" version="5.0"><title>Rope</title><para>${words}</para></article>`,
      `<article><title>Rope</title><para>${words}</para></article>`,
    ].entries()) {
      expect((await made('docbook', 'html', book)).bytes.toString()).to.contain(words)
      expect(part((await made('docbook', 'docx', book)).bytes, 'word/document.xml').replace(/<[^>]*>/g, '')).to.contain(words)
      if (ALL || at === 0) expect(textOf((await made('docbook', 'pdf', book)).bytes)).to.contain(words)
    }
  })

  it('F23 a table of a FictionBook is in the book, the page and the PDF made of it', async () => {
    const book = FICTION('<p>In the shed:</p><table><tr><th>Thing</th><th>Bales</th></tr><tr><td>hemp</td><td>twelve</td></tr></table>')
    for (const to of ['html', 'md', 'pdf']) {
      const { bytes } = await made('fb2', to, book)
      expect(to === 'pdf' ? textOf(bytes) : bytes.toString(), to)
        .to.contain('hemp')
        .and.contain('twelve')
    }
    expect((await made('fb2', 'md', FICTION('<p>No table here.</p>'))).bytes.toString()).to.contain('No table here.')
  })

  it('F23 an SVG becomes a picture of its own size', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#c33"/></svg>'
    const { bytes, engine } = await made('svg', 'png', svg)
    expect(engine).to.equal('sharp')
    expect(await sharp(bytes).metadata()).to.include({ width: 320, height: 200 })
  })

  it('F17 markup in any declared set of characters is read by it, XHTML with its character data, and no title is made up', async () => {
    const russian = Buffer.from([0xcf, 0xe0, 0xf0, 0xee, 0xec])
    const cp1251 = Buffer.concat([
      Buffer.from('<html><head><meta charset="windows-1251"></head><body><p>'),
      russian,
      Buffer.from('</p></body></html>'),
    ])
    expect((await made('html', 'md', cp1251)).bytes.toString().trim()).to.equal('Паром')
    const wide = Buffer.from('\ufeff<p>Grüße</p>', 'utf16le')
    expect((await made('html', 'rst', wide)).bytes.toString()).to.contain('Grüße')
    expect((await made('md', 'org', Buffer.from('Gr\xfc\xdfe\n', 'latin1'))).bytes.toString()).to.contain('Grüße')
    const xhtml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>closing <![CDATA[<b>cdata</b>]]></p></body></html>'
    expect((await made('xhtml', 'md', xhtml)).bytes.toString()).to.match(/closing \\?<b\\?>cdata/)
  })
})

/** Three frames on transparency with these times in milliseconds. */
async function moving(delay: number[]): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map(async (background) => {
      const inner = await sharp({ create: { width: 20, height: 10, channels: 4, background } })
        .png()
        .toBuffer()
      const outer = sharp({ create: { width: 40, height: 30, channels: 4, background: '#00000000' } })
      return await outer
        .composite([{ input: inner }])
        .png()
        .toBuffer()
    }),
  )
  return await sharp(frames, { join: { animated: true } })
    .gif({ delay })
    .toBuffer()
}
