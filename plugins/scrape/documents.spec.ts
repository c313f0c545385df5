import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Cancel } from '../../core/cancel.js'
import { systemClock } from '../../core/clock.js'
import { createSandbox, type Sandbox } from '../../core/exec/index.js'
import { needsProgram } from '../../test/support/needs.js'
import { writeZip } from '../../test/support/zip-writer.js'

/** A PDF of so many pages with one line each; the cross-reference table is left to the reader's repair. */
function pdf(pages: number, extra = ''): Uint8Array {
  const kids = Array.from({ length: pages }, (_, at) => `${10 + at} 0 R`).join(' ')
  const leaves = Array.from(
    { length: pages },
    (_, at) =>
      `${10 + at} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>/Annots[6 0 R]>> endobj`,
  ).join('\n')
  const text = 'BT /F 12 Tf 20 200 Td (Ten kettles, all red) Tj ET'
  return Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R${extra}>> endobj
2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj
3 0 obj <</Title(Red kettles)>> endobj
4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
5 0 obj <</Length ${text.length}>> stream
${text}
endstream endobj
6 0 obj <</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://d.example/p)>>>> endobj
${leaves}
trailer <</Root 1 0 R/Info 3 0 R>>
%%EOF`)
}

const DOCX: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels':
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  'word/document.xml':
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Ten </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>red</w:t></w:r><w:r><w:t> kettles</w:t></w:r></w:p></w:body></w:document>',
}

describe('scrape: documents in the sandbox', function () {
  this.timeout(60_000)
  let sandbox: Sandbox
  let folder: string

  before(async function () {
    needsProgram(this, 'bwrap')
    folder = await mkdtemp(join(tmpdir(), 'capstan-documents-'))
    sandbox = createSandbox({
      clock: systemClock,
      log: () => undefined,
      programs: () => undefined,
      slots: 2,
      proxySocket: () => Promise.reject(new Error('no network')),
      protectedPaths: [],
    })
  })
  after(async () => {
    await sandbox?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const parse = (module: string, bytes: Uint8Array): Promise<unknown> =>
    sandbox.parse(
      new URL(`./parse/${module}.js`, import.meta.url),
      bytes,
      { timeoutMs: 20_000, memoryMb: 512 },
      new Cancel(systemClock, systemClock.monotonic() + 30_000),
    )

  it('reads text, title and links of a PDF', async () => {
    expect(await parse('pdf', pdf(2))).to.deep.equal({
      pages: ['Ten kettles, all red', 'Ten kettles, all red'],
      title: 'Red kettles',
      links: ['https://d.example/p'],
    })
  })
  it('T-49 refuses a PDF of more than 200 pages, and a broken one', async () => {
    expect(await parse('pdf', pdf(201))).to.have.property('problem', 'limit')
    expect(await parse('pdf', Buffer.from('%PDF-1.4 nothing'))).to.have.property('problem', 'broken')
  })
  it('reads a Word document', async () => {
    expect(await parse('docx', writeZip(DOCX))).to.deep.equal({ html: '<p>Ten <strong>red</strong> kettles</p>', title: null })
  })
  it('T-49 does not unpack a Word document that is a bomb, and refuses a broken one', async () => {
    expect(await parse('docx', writeZip({ ...DOCX, 'word/media/a.bin': Buffer.alloc(8 << 20) }))).to.have.property('problem', 'limit')
    expect(await parse('docx', writeZip({ 'a.txt': 'x' }))).to.have.property('problem', 'broken')
  })
})
