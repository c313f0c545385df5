import { expect } from 'chai'
import sinon from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { writeZip } from '../../test/support/zip-writer.js'
import { ConversionWorld } from '../../test/support/conversions/world.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { FORMULAS } from '../_vendors/libreoffice.js'
import { drawsFormulas, noteFormulas } from './formulas.js'
import formulas from './parse/formulas.js'

const docx = (body: string): Buffer => Buffer.from(writeZip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` }))
const FORMULA = '<m:oMathPara><m:oMath><m:r><m:t>a</m:t></m:r></m:oMath></m:oMathPara>'
const FILE = { id: '1'.padStart(32, '0'), size: 10 }

describe('office.convert: formulas where LibreOffice cannot draw them', () => {
  it('F5 formulas are counted in Office Open XML and OpenDocument, however long the text between them', async () => {
    expect(await formulas(docx(FORMULA))).to.equal(1)
    expect(await formulas(docx(`${'<w:p>words</w:p>'.repeat(20_000)}${FORMULA}`.repeat(3)))).to.equal(3)
    expect(await formulas(docx('<w:p>oMath and <w:t>m:oMath</w:t></w:p>'))).to.equal(0)
    const slides = writeZip({ 'ppt/slides/slide1.xml': '<p:sld><m:oMath xmlns:m="m"/></p:sld>', 'docProps/app.xml': '<m:oMath/>' })
    expect(await formulas(Buffer.from(slides))).to.equal(1)
    const entry = (type: string): string => `<manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.${type}"/>`
    const manifest = `<manifest:manifest>${entry('text')}${entry('formula').repeat(2)}${entry('chart')}</manifest:manifest>`
    expect(await formulas(Buffer.from(writeZip({ 'META-INF/manifest.xml': manifest, 'content.xml': FORMULA })))).to.equal(2)
  })

  it('F5 a note says how many were left out and which package is missing', async () => {
    const noted = async (counted: number | Fault): Promise<string[]> => {
      const note = sinon.stub<[string], undefined>()
      const parse = typeof counted === 'number' ? sinon.stub().resolves(counted) : sinon.stub().rejects(counted)
      await noteFormulas(FILE, { parse, note })
      return note.args.map(([sentence]) => sentence)
    }
    const why = 'the package libreoffice-math-nogui, which draws them, is not installed here.'
    expect(await noted(0)).to.deep.equal([])
    expect(await noted(1)).to.deep.equal([`One formula was left out: ${why}`])
    expect(await noted(12)).to.deep.equal([`12 formulas were left out: ${why}`])
    expect(await noted(new Fault('broken', 'x'))).to.deep.equal([`Formulas, if the document has any, were left out: ${why}`])
  })

  it('F5 whether they are drawn is seen by a file of the package', () => {
    expect(drawsFormulas(['/'])).to.equal(true)
    expect(drawsFormulas(['/', '/no/such/library.so'])).to.equal(false)
  })

  it('F5 a document whose formulas are not drawn becomes a PDF with a note, and one without formulas has none', async function () {
    this.timeout(300_000)
    needs(this, 'soffice', 'pandoc', 'bwrap')
    const world = await ConversionWorld.start('pandoc', 'libreoffice')
    try {
      const ofText = async (data: string): Promise<Buffer> => (await world.convert({ data, from: 'md', to: 'docx' })).bytes
      const [formula, plain] = [await ofText('Mean is $\\frac{a+b}{2}$ and $x^2=49$.\n'), await ofText('Mean.\n')]
      const notesOf = async (data: Buffer): Promise<readonly string[]> => (await world.convert({ data, from: 'docx', to: 'pdf' })).notes
      if (drawsFormulas()) expect(await notesOf(formula)).to.deep.equal([])
      sinon.stub(FORMULAS, 'paths').value(['/no/such/library.so'])
      expect((await notesOf(formula)).join()).to.contain('2 formulas were left out')
      expect(await notesOf(plain)).to.deep.equal([])
    } finally {
      sinon.restore()
      await world.close()
    }
  })
})
