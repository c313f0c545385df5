import { expect } from 'chai'
import { docx, EML, EPUB, ODP, ODT, pdf, PPTX, spreadsheet, written } from '../../test/support/documents.js'
import { ReadingStage } from '../../test/support/reading.js'
import { writeZip } from '../../test/support/zip-writer.js'

const TABLE = '| Colour | Price |\n| --- | --- |\n| red | 12.50 |'
const ADA = { author: 'Ada Example', created: '2026-01-31T12:00:00.000Z' }

describe('reading: documents', function () {
  this.timeout(60_000)
  let stage: ReadingStage
  before(async function () {
    stage = await ReadingStage.open(this)
  })
  after(() => stage?.close())

  it('a Word document is Markdown with heading, link and table, and what it says of itself', async () => {
    const read = await stage.read(docx(), { want: ['html'] })
    expect(read).to.deep.include({ format: 'docx', title: 'Red kettles', language: 'en-GB', pages: 3, truncated: false, needs_ocr: false })
    expect(read.metadata).to.deep.include({ ...ADA, producer: 'Writer' })
    expect(read.text).to.equal(`# Kettles\n\nTen **red** kettles & [a link](https://d.example/p)\n\n${TABLE}`)
    expect(read.links).to.deep.equal(['https://d.example/p'])
    expect(read.html).to.contain('<strong>red</strong>')
  })

  it('a presentation is read in the order of its list, with tables and notes, without slide numbers', async () => {
    const read = await stage.read(writeZip(PPTX))
    expect(read).to.deep.include({ format: 'pptx', title: 'Red kettles', pages: 2, html: null })
    expect(read.text).to.equal('## Kettles\n\nTen <red> ones\n\n> Say hello first\n\n---\n\n## Prices\n\n| red | 12.50 |\n| --- | --- |')
  })

  it('a text document of OpenDocument is read without what was deleted', async () => {
    const read = await stage.read(writeZip(ODT))
    expect(read).to.deep.include({ format: 'odt', title: 'Red kettles', language: 'en-GB', pages: 3 })
    expect(read.metadata).to.deep.include({ author: 'Ada Example' })
    expect(read.text).to.equal('# Kettles\n\nTen red & blue [ones](https://d.example/p)\n\n-   one\n\n| red | 12.50 |\n| --- | --- |')
    expect(read.links).to.deep.equal(['https://d.example/p'])
  })

  it('a presentation of OpenDocument is read slide by slide, with its notes', async () => {
    const read = await stage.read(writeZip(ODP))
    expect(read).to.deep.include({ format: 'odp', pages: 2 })
    expect(read.text).to.equal('Kettles\n\n> Say hello first\n\n---\n\nPrices')
  })

  for (const format of ['xlsx', 'xls', 'ods'] as const)
    it(`a spreadsheet is a table for each sheet, with dates of ISO 8601: ${format}`, async () => {
      const read = await stage.read(spreadsheet(format), { want: ['tables'] })
      expect(read).to.deep.include({ format, pages: 2 })
      expect(read.tables).to.deep.equal([
        {
          name: 'Kettles',
          rows: [
            ['Colour', 'Price', 'Sold'],
            ['red | blue', '12.5', '2026-01-31'],
            ['green', '1200', ''],
          ],
        },
        { name: 'Other', rows: [['empty'], ['TRUE']] },
      ])
      expect(read.text).to.contain('## Kettles\n\n| Colour | Price | Sold |\n| --- | --- | --- |\n| red \\| blue | 12.5 | 2026-01-31 |')
    })

  it('a book is read in the order of its spine, and a part outside it is none', async () => {
    const read = await stage.read(writeZip(EPUB))
    expect(read).to.deep.include({ format: 'epub', title: 'Red kettles', language: 'en', pages: 2 })
    expect(read.text).to.equal('# First\n\nTwo pots\n\n# Last\n\nTen kettles')
  })

  it('a message has its header fields, its text and its files', async () => {
    const read = await stage.read(EML, { want: ['attachments'] })
    expect(read).to.deep.include({ format: 'mail', title: 'Tän kettles' })
    expect(read.metadata).to.deep.include({ author: 'Ada Example <ada@example.com>', created: ADA.created })
    expect(read.text).to.contain('**To:** Bob Example <bob@example.com>').and.contain('See [this](https://d.example/p) and **that**.')
    expect(read.text).not.to.contain('alert')
    expect(read.attachments.map(({ name, text }) => [name, text.trim()])).to.deep.equal([['bill.xml', '<bill/>']])
  })

  it('a page of HTML is read whole, without scripts, and tables that arrange it are none', async () => {
    const html = `<!doctype html><html lang="de"><head><title>Kettles</title><meta name="author" content="Ada Example"></head><body><nav>Menu</nav><script>var a = 1</script><table><tr><td><table><tr><th>a</th><th>b|c</th></tr><tr><td colspan=2>d</td></tr></table></td></tr></table></body></html>`
    const read = await stage.read(html)
    expect(read).to.deep.include({ format: 'html', title: 'Kettles', language: 'de' })
    expect(read.metadata.author).to.equal('Ada Example')
    expect(read.text.replace(/\n{2,}/g, '\n')).to.equal('Menu\n| a | b\\|c |\n| --- | --- |\n| d |  |')
  })

  for (const [name, text, rows] of [
    [
      'commas and quotes',
      'a,"b, ""c"""\n1,2',
      [
        ['a', 'b, "c"'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a byte order mark and short rows',
      '\ufeffa|b|c\n1|2',
      [
        ['a', 'b', 'c'],
        ['1', '2', ''],
      ],
    ],
  ] as const)
    // prettier-ignore
    it(`a table of text with ${name}`, async () => {
      const read = await stage.read(text, { name: 'x.csv', want: ['tables'] })
      expect(read.tables).to.deep.equal([{ name: null, rows }])
    })

  for (const [name, bytes, contentType] of [
    ['UTF-8', Buffer.from('Tänk ⚓'), null],
    ['UTF-16 with a mark', Buffer.from('\ufeffTänk ⚓', 'utf16le'), null],
    ['UTF-16 without', Buffer.from('Tänk ⚓', 'utf16le'), null],
    ['windows-1252', Buffer.from([0x54, 0xe4, 0x6e, 0x6b, 0x20, 0x80]), null],
    ['what its media type says', Buffer.from([0xf4, 0xe5, 0xee]), 'text/plain; charset=koi8-r'],
  ] as const)
    it(`text in ${name}`, async () => {
      const read = await stage.read(bytes, { content_type: contentType })
      const expected = { 'windows-1252': 'Tänk €', 'what its media type says': 'ТЕН' }[name as string] ?? 'Tänk ⚓'
      expect(read).to.deep.include({ format: 'text', text: expected })
    })

  it('Markdown stays as it is, and its first heading is its title', async () => {
    const read = await stage.read('# Kettles\n\n*ten*', { name: 'a.md' })
    expect(read).to.deep.include({ format: 'markdown', title: 'Kettles', text: '# Kettles\n\n*ten*' })
  })

  it('a file that is something else than it must be is invalid, as are one that is none, an empty one, and pictures', async () => {
    for (const [file, input, words] of [
      [docx(), { format: 'xlsx' }, 'no xlsx but docx'],
      [docx(), { format: 'pdf' }, 'no pdf but docx'],
      [pdf([{ content: '' }]), { format: 'docx' }, 'no docx but pdf'],
      [Buffer.from('hello'), { format: 'pdf' }, 'no pdf'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]), {}, 'image/png'],
      [Buffer.from([1, 0, 2, 0, 0, 7]), {}, 'not text'],
      [writeZip({ 'a.txt': 'x' }), {}, 'an archive'],
    ] as const) {
      const reply = await stage.ask('document.read', file, input)
      expect([reply.status, reply.text]).to.satisfy(([status, text]: [number, string]) => status === 422 && text.includes(words), words)
    }
    expect((await stage.ask('document.read', '')).text).to.contain('The file is empty')
  })

  it('a format that needs conversion first is named', async () => {
    const reply = await stage.ask('document.read', '{\\rtf1\\ansi hello}')
    expect(reply.text).to.contain('the format rtf').and.contain('convert')
  })
})

describe('reading: PDF', function () {
  this.timeout(60_000)
  let stage: ReadingStage
  before(async function () {
    stage = await ReadingStage.open(this)
  })
  after(() => stage?.close())

  it('has its text in lines and blocks, headings by size, links and properties', async () => {
    const body = Array.from({ length: 6 }, (_, at) => [`Line ${at + 1} of the text about kettles`, 20, 200 - 14 * at] as const)
    const read = await stage.read(pdf([{ content: written(['Kettles', 20, 250, 24], ...body) }]))
    expect(read).to.deep.include({ format: 'pdf', title: 'Red kettles', language: 'en-GB', pages: 1, positions: null, truncated: false })
    expect(read.metadata).to.deep.include(ADA)
    expect(read.text).to.equal(`# Kettles\n\n${body.map(([text]) => text).join('\n')}`)
    expect(read.links).to.deep.equal(['https://d.example/p'])
  })

  it('has its words at their places in points from the upper left, also on a turned page', async () => {
    const content = written(['Total', 20, 250], ['12.50', 200, 250])
    const { positions, text } = await stage.read(pdf([{ content }, { content, rotate: 90 }]), { want: ['positions'] })
    expect(text).to.contain('Total  12.50')
    const [upright, turned] = positions ?? []
    expect(upright).to.deep.include({ page: 1, width: 300, height: 300 })
    expect(upright?.words.map(({ text: word, x, line, block }) => [word, x, line, block])).to.deep.equal([
      ['Total', 20, 0, 0],
      ['12.50', 200, 0, 0],
    ])
    const [total] = upright?.words ?? []
    // The baseline is 50 points below the top.
    expect(total?.y).to.be.within(36, 42)
    expect((total?.y ?? 0) + (total?.height ?? 0)).to.be.within(50, 54)
    expect(total?.width).to.be.within(24, 28)
    const [first] = turned?.words ?? []
    expect([first?.text, Math.round(first?.y ?? 0)]).to.deep.equal(['Total', 20])
    expect(first?.x).to.be.within(244, 256)
    expect(first?.height).to.be.within(24, 28)
  })

  it('is read by columns where it is drawn so, and from top to bottom where it is drawn hither and thither', async () => {
    const columns = written(['left one', 20, 250], ['left two', 20, 235], ['right one', 160, 250], ['right two', 160, 235])
    expect((await stage.read(pdf([{ content: columns }]))).text).to.equal('left one\nleft two\n\nright one\nright two')
    const mixed = written(['third', 20, 100], ['first', 20, 250], ['fourth', 20, 50], ['second', 20, 200])
    expect((await stage.read(pdf([{ content: mixed }]))).text.split(/\n+/)).to.deep.equal(['first', 'second', 'third', 'fourth'])
  })

  it('has the values of its form fields at their places', async () => {
    const field = '7 0 obj <</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Example)/Rect[100 245 250 265]/P 100 0 R>> endobj'
    const file = pdf([{ content: written(['Name:', 20, 250], ['Date:', 20, 220]) }], '/AcroForm<</Fields[7 0 R]>>', field)
    const read = await stage.read(Buffer.from(file.toString('latin1').replace('/Annots[6 0 R]', '/Annots[6 0 R 7 0 R]'), 'latin1'), {
      want: ['positions'],
    })
    expect(read.text).to.equal('Name:  Ada Example\n\nDate:')
    expect(read.positions?.[0]?.words.find(({ text }) => text === 'Ada')).to.deep.include({ x: 100, line: 0 })
  })

  it('gives the files in it, as an electronic invoice has them', async () => {
    const xml = '<Invoice/>'
    const objects = `8 0 obj <</Type/Filespec/F(factur-x.xml)/UF(factur-x.xml)/EF<</F 9 0 R>>>> endobj\n9 0 obj <</Type/EmbeddedFile/Length ${xml.length}>> stream\n${xml}\nendstream endobj`
    const file = pdf([{ content: written(['Invoice', 20, 250]) }], '/Names<</EmbeddedFiles<</Names[(factur-x.xml) 8 0 R]>>>>', objects)
    expect((await stage.read(file)).attachments).to.deep.equal([])
    const [attachment] = (await stage.read(file, { want: ['attachments'] })).attachments
    expect(attachment).to.deep.include({ name: 'factur-x.xml', content_type: 'text/xml', size: xml.length, text: xml })
  })

  it('without text says so, and which pages have none', async () => {
    expect(await stage.read(pdf([{ content: '' }, { content: '0 0 10 10 re f' }]))).to.deep.include({
      needs_ocr: true,
      text: '',
      pages_without_text: [1, 2],
    })
    expect(await stage.read(pdf([{ content: '' }, { content: written(['x', 20, 20]) }]))).to.deep.include({
      needs_ocr: false,
      pages_without_text: [1],
    })
  })

  it('is read from a page on, and no further than asked', async () => {
    const file = pdf(['one', 'two', 'three', 'four'].map((text) => ({ content: written([text, 20, 20]) })))
    expect(await stage.read(file, { first_page: 2, max_pages: 2 })).to.deep.include({ text: 'two\n\nthree', pages: 4, truncated: true })
    expect(await stage.read(file, { first_page: 9 })).to.deep.include({ text: '', truncated: true, needs_ocr: false })
  })
})
