import { expect } from 'chai'
import sinon from 'sinon'
import { answerOf, Fault, type ScratchFile } from '../../../core/sdk/index.js'
import { writeZip } from '../../../test/support/zip-writer.js'
import { convertLosses } from '../contract.js'
import { assertKept } from './check.js'
import { lossNotes } from './notes.js'
import compare, { type Losses } from './parse/compare.js'

type File = string | Uint8Array

const bytes = (file: File): Uint8Array => (typeof file === 'string' ? Buffer.from(file) : file)
const zip = (parts: Readonly<Record<string, string>>): Uint8Array => writeZip(parts)
const docx = (body: string, more: Readonly<Record<string, string>> = {}): Uint8Array =>
  zip({ 'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`, ...more })
const p = (text: string, inside = ''): string => `<w:p>${inside}<w:r><w:t>${text}</w:t></w:r></w:p>`
const item = (text: string): string => p(text, '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
const odt = (body: string): Uint8Array =>
  zip({ 'content.xml': `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>` })

async function lossesOf(from: string, source: File, to: string, result: File): Promise<Losses> {
  return (await compare([bytes(source), bytes(result)], { from, to, result: to === 'pdf' ? 'txt' : to })).result
}
async function notesOf(from: string, source: File, to: string, result: File): Promise<string[]> {
  return lossNotes(await lossesOf(from, source, to, result))
}

describe('convert.losses: what a result has less than its source', () => {
  it('F23 counts cells, items, footnotes, comments and paragraphs of which nothing is left', async () => {
    const cells = `<w:tbl><w:tr>${['hemp', 'twelve', 'sisal'].map((text) => `<w:tc>${p(text)}</w:tc>`).join('')}</w:tr></w:tbl>`
    const notes = (kind: string, root: string): string =>
      `<w:${root} xmlns:w="w"><w:${kind} w:id="2">${p(`said in a ${kind}`)}</w:${kind}></w:${root}>`
    const source = docx(`${p('Ropes are made here')}${cells}${item('first thing')}${item('second thing')}`, {
      'word/footnotes.xml': notes('footnote', 'footnotes'),
      'word/comments.xml': notes('comment', 'comments'),
    })
    expect(await notesOf('docx', source, 'md', 'Ropes are made here\n\n| hemp |\n\n- first thing\n- second one')).to.deep.equal([
      '2 of 3 table cells were left out.',
      '1 footnote was left out.',
      '1 comment was left out.',
    ])
    const { words, missing } = await lossesOf('docx', source, 'md', 'Ropes are made')
    expect({ words, missing }).to.deep.equal({ words: 19, missing: 16 })
  })

  it('F23 a FictionBook whose table is gone, an OpenDocument text without its list, and rows that are gone are noticed', async () => {
    const fiction =
      '<FictionBook><description><title-info><book-title>x</book-title></title-info></description><body><section><p>In the shed:</p><table><tr><td>hemp</td><td>twelve</td></tr></table></section></body></FictionBook>'
    expect(await notesOf('fb2', fiction, 'html', '<p>In the shed:</p>')).to.deep.equal(['2 table cells were left out.'])
    const list = odt(
      '<text:p>Things to take along</text:p><text:list><text:list-item><text:p>rope</text:p></text:list-item><text:list-item><text:p>tar</text:p></text:list-item></text:list>',
    )
    expect(await notesOf('odt', list, 'docx', docx(p('Things to take along') + item('rope')))).to.deep.equal([
      '1 of 2 list items was left out.',
    ])
    expect(await notesOf('csv', 'a,b\nc,d\ne,f\n', 'md', 'a b c d')).to.deep.equal(['1 of 3 rows was left out.'])
  })

  it('F11 numbers of a table of text are no lost words where a workbook has them as values', async () => {
    const book = (rows: string): Uint8Array =>
      zip({
        'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      })
    const texts = (...cells: string[]): string =>
      `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
    const number = '<row><c><v>12.5</v></c></row>'
    const source = `name\tprice\n${'\t12.5\n'.repeat(14)}`
    expect(await lossesOf('tsv', source, 'xlsx', book(texts('name', 'price') + number.repeat(14)))).to.include({ words: 2, missing: 0 })
    expect(await lossesOf('tsv', source, 'xlsx', book(number.repeat(14)))).to.include({ words: 2, missing: 2 })
    expect(await lossesOf('csv', '1,2\n3,4\n', 'md', '| 1 | 2 |')).to.include({ words: 4, missing: 2 })
  })

  it('F23 an empty document made of DocBook has lost all of its words', async () => {
    const book =
      '<article xmlns="http://docbook.org/ns/docbook" version="5.0"><info><title>Rope</title></info><para>The hemp comes from the valley.</para></article>'
    expect(await lossesOf('docbook', book, 'html', '<html><head><title>Rope</title></head><body></body></html>')).to.include({
      words: 6,
      missing: 6,
    })
    expect(await lossesOf('docbook', book, 'docx', docx(p('The hemp comes from the valley.')))).to.include({ words: 6, missing: 0 })
  })

  it('F23 pictures are counted as often as they are shown', async () => {
    const picture = '<w:p><w:r><w:drawing><pic:pic><a:blip r:embed="r1"/></pic:pic></w:drawing></w:r></w:p>'
    const embedded = '<img src="data:image/png;base64,AAAA">'
    expect(await notesOf('docx', docx(p('words') + picture.repeat(4)), 'html', `<p>words</p>${embedded}`)).to.deep.equal([
      '3 of 4 pictures were left out.',
    ])
    const frame = '<draw:frame><draw:image xlink:href="Pictures/1.svg"/><draw:image xlink:href="Pictures/1.png"/></draw:frame>'
    const preview = '<draw:frame><table:table/><draw:image xlink:href="Pictures/TablePreview1.svm"/></draw:frame>'
    expect(
      await notesOf('odt', odt(`<text:p>words</text:p>${frame.repeat(2)}${preview}`), 'docx', docx(p('words') + picture)),
    ).to.deep.equal(['1 of 2 pictures was left out.'])
    expect(await notesOf('docx', docx(p('words') + picture), 'txt', 'words')).to.deep.equal(['1 picture was left out.'])
    expect(
      await notesOf('html', `<p>words</p>${embedded}<img src="https://example.com/a.png">`, 'docx', docx(p('words') + picture)),
    ).to.deep.equal([])
  })

  it('F23 pictures of a notebook, and in formats whose words are not compared, are counted too', async () => {
    const notebook = '{"cells":[{"attachments":{"a.png":{"image/png":"AAAA"}},"source":["words"]}]}'
    expect(await notesOf('ipynb', notebook, 'md', 'words')).to.deep.equal(['1 picture was left out.'])
    const picture = '<w:p><w:r><pic:pic/></w:r></w:p>'
    const { result } = await compare([docx(p('words') + picture)], { from: 'docx', to: 'tex', result: null })
    expect(lossNotes(result)).to.deep.equal(['1 picture was left out.'])
  })

  it('F23 what is only written in another way is no loss', async () => {
    const none = async (from: string, source: File, to: string, result: File): Promise<void> => {
      const { missing, kinds } = await lossesOf(from, source, to, result)
      expect({ missing, kinds }, `${from} to ${to}`).to.deep.equal({ missing: 0, kinds: [] })
    }
    await none(
      'docx',
      docx('<w:p><w:r><w:t>Ex</w:t></w:r><w:r><w:t>am</w:t></w:r><w:r><w:t>ple of ﬁne print</w:t></w:r></w:p>'),
      'pdf',
      'Exam-\nple OF fine\nprint',
    )
    await none('docx', docx(p('港の渡し船は毎日六回出ます')), 'pdf', '港の渡し船\nは毎日六回\n出ます')
    await none(
      'html',
      '<head><title>t</title><style>p{}</style></head><p>seen <b>it</b>self</p><p hidden>not shown</p><div style="display: none">nor this</div><script>x()</script>',
      'md',
      'seen **it**self',
    )
    await none(
      'md',
      '---\ntitle: Ropes\n---\n\n[Read](https://example.com/a-long-way "there") the *book*\n',
      'docx',
      docx(p('Read the book')),
    )
    await none(
      'docx',
      docx(
        p('kept') +
          '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p><w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>',
      ),
      'txt',
      'kept',
    )
    await none('docx', docx(p('Contents 1', '<w:pPr><w:pStyle w:val="TOC1"/></w:pPr>') + p('Text')), 'md', 'Text')
    await none('txt', 'Grüße aus dem Hafen', 'rtf', String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}Gr\u252?\'dfe aus dem Hafen\par}`)
  })

  it('F23 a cell of a sheet that stands twice and a number in another form are no loss', async () => {
    const ods = zip({
      'content.xml':
        '<office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell office:value-type="string" table:number-columns-repeated="2"><text:p>same</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
    })
    expect(await notesOf('csv', 'same,same\n', 'ods', ods)).to.deep.equal([])
    expect(
      await notesOf(
        'xlsx',
        workbook({ One: '<c r="A1"><v>0.5</v></c><c r="B1" t="inlineStr"><is><t>half</t></is></c>' }),
        'csv',
        '50%,half\n',
      ),
    ).to.deep.equal([])
  })

  it('sheets that have no place in a table of text are named, empty ones are not', async () => {
    const cell = '<c r="A1"><v>1</v></c>'
    const book = workbook({ First: cell, Costs: cell, Empty: '', 'Notes & more': '<c r="A1" t="inlineStr"><is><t>words</t></is></c>' })
    for (const to of ['csv', 'tsv'])
      expect(await notesOf('xlsx', book, to, '1\n')).to.deep.equal(['2 sheets were left out: Costs, Notes & more.'])
    const sheet = (name: string, text: string): string =>
      `<table:table table:name="${name}"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`
    const ods = zip({ 'content.xml': `<office:spreadsheet>${sheet('One', 'a')}${sheet('Two &amp; three', 'b')}</office:spreadsheet>` })
    expect(await notesOf('ods', ods, 'csv', 'a\n')).to.deep.equal(['1 sheet was left out: Two & three.'])
    expect(await notesOf('xlsx', workbook({ First: cell }), 'csv', '1\n')).to.deep.equal([])
    expect(await notesOf('xlsx', workbook({ Empty: '', Second: cell }), 'csv', '\n')).to.deep.equal(['1 sheet was left out: Second.'])
    const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`S${String(at)}`, cell]))
    expect((await notesOf('xlsx', workbook(many), 'csv', '1\n')).join())
      .to.contain('13 sheets were left out: S1, ')
      .and.contain('S10 and 3 more.')
  })
})

describe('files.convert after any engine', () => {
  const FILE: ScratchFile = { id: '1'.padStart(32, '0'), size: 10 }
  const MADE: ScratchFile = { id: '2'.padStart(32, '0'), size: 10 }
  const FULL: Losses = { words: 10, missing: 0, kinds: [], sheets: [], pictures: 0, breaks: 0 }

  interface Case {
    readonly from: string
    readonly to: string
    readonly losses?: Partial<Losses>
    readonly look?: { readonly pages: number; readonly blank: readonly number[] }
    readonly fails?: Error
  }

  async function checked({
    from,
    to,
    losses,
    look = { pages: 1, blank: [] },
    fails,
  }: Case): Promise<{ notes: string[]; error: unknown; logged: number }> {
    const [note, log] = [sinon.stub(), sinon.stub()]
    const call = sinon.stub().callsFake((port: unknown) => {
      if (fails !== undefined) return Promise.reject(fails)
      return Promise.resolve(port === convertLosses ? { ...FULL, ...losses } : { ...look, text: null })
    })
    let error: unknown = null
    try {
      await assertKept(answerOf({ call, has: () => true, note, log, scratch: {} }), { file: FILE, from, files: [MADE], to }, 'missing')
    } catch (thrown) {
      error = thrown
    }
    return { notes: note.args.flat().map(String), error, logged: log.callCount }
  }
  const said = (error: unknown): string => (Fault.is(error) ? `${error.kind}: ${error.message}` : String(error))

  it("F5 a PDF or picture whose pages are all blank is the next engine's turn where the source has text", async () => {
    for (const [from, to] of [
      ['docx', 'pdf'],
      ['html', 'pdf'],
      ['html', 'png'],
      ['xlsx', 'pdf'],
    ] as const) {
      const { error } = await checked({ from, to, look: { pages: 2, blank: [1, 2] } })
      expect(said(error)).to.equal(`missing: The ${to} file is blank, though the ${from} file has text.`)
      expect((await checked({ from, to, losses: { words: 0 }, look: { pages: 2, blank: [1, 2] } })).error, 'an empty source').to.equal(null)
    }
  })

  it('F5 single blank pages are named, unless the source may have as many itself', async () => {
    const look = { pages: 5, blank: [2, 4] }
    expect(await checked({ from: 'docx', to: 'pdf', look })).to.deep.equal({
      notes: ['Pages 2 and 4 of the result are blank.'],
      error: null,
      logged: 0,
    })
    expect((await checked({ from: 'docx', to: 'pdf', look: { pages: 3, blank: [3] } })).notes).to.deep.equal([
      'Page 3 of the result is blank.',
    ])
    for (const breaks of [2, null]) expect((await checked({ from: 'docx', to: 'pdf', look, losses: { breaks } })).notes).to.deep.equal([])
  })

  it("F23 without more than half of the words a result is the next engine's turn, with half of them it is noted", async () => {
    expect(said((await checked({ from: 'docbook', to: 'docx', losses: { missing: 6 } })).error)).to.equal(
      'missing: The conversion to docx lost 6 of the 10 words of the file.',
    )
    const kinds = [{ kind: 'cells' as const, of: 9, missing: 5 }]
    const { notes, error } = await checked({ from: 'fb2', to: 'html', losses: { missing: 5, kinds } })
    expect({ notes, error }).to.deep.equal({ notes: ['5 of 9 table cells were left out.'], error: null })
  })

  it('F23 a file that cannot be compared is logged and given; a defect of this program is thrown', async () => {
    expect(await checked({ from: 'docx', to: 'md', fails: new Fault('missing', 'too long') })).to.deep.equal({
      notes: [],
      error: null,
      logged: 1,
    })
    expect((await checked({ from: 'docx', to: 'md', fails: new TypeError('defect') })).error).to.be.instanceOf(TypeError)
  })
})

function workbook(sheets: Readonly<Record<string, string>>): Uint8Array {
  const names = Object.keys(sheets)
  const escape = (text: string): string => text.replaceAll('&', '&amp;')
  return zip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${escape(name)}" sheetId="${String(at)}" r:id="s${String(at)}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="s${String(at)}" Type="x/worksheet" Target="worksheets/sheet${String(at)}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${String(at)}.xml`,
        `<worksheet><sheetData><row>${sheets[name] ?? ''}</row></sheetData></worksheet>`,
      ]),
    ),
  })
}
