import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdf } from '../../test/support/documents.js'
import { ReadingStage } from '../../test/support/reading.js'
import { errorOf } from '../../test/support/unit.js'
import { characterMaps, unmappedIn, unreadNotes } from './parse/pdf-maps.js'

/** A PDF with text in a font that has a predefined character map, or one of its own, and no map to Unicode. */
function mapped(encoding: string, ordering: string, content: string): Buffer {
  const font = `4 0 obj <</Type/Font/Subtype/Type0/BaseFont/X/Encoding/${encoding}/DescendantFonts[8 0 R]>> endobj
8 0 obj <</Type/Font/Subtype/CIDFontType0/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000/FontDescriptor 9 0 R>> endobj
9 0 obj <</Type/FontDescriptor/FontName/X/Flags 6/FontBBox[0 -137 1000 859]/ItalicAngle 0/Ascent 859/Descent -137/CapHeight 709/StemV 80>> endobj`
  return pdf([{ content }], '', font)
}

const shown = (hex: string): string => `BT /F 16 Tf 60 200 Td <${hex}> Tj ET`

describe('reading: text of a PDF', function () {
  this.timeout(60_000)
  let stage: ReadingStage
  before(async function () {
    stage = await ReadingStage.open(this)
  })
  after(() => stage?.close())

  it('F4 Japanese, Chinese and Korean text by predefined character maps is read', async () => {
    for (const [encoding, ordering, hex, text] of [
      ['UniJIS-UCS2-H', 'Japan1', '6e2f306e6e21', '港の渡'],
      ['90ms-RKSJ-H', 'Japan1', '936e91448a948eae89ef8ed0', '渡船株式会社'],
      ['GBK-EUC-H', 'GB1', 'b7a2c6b1bac5c2eb', '发票号码'],
      ['ETen-B5-H', 'CNS1', 'b56fb2bcb8b9bd58', '發票號碼'],
      ['KSCms-UHC-H', 'Korea1', 'bfb5bcf6c1f520b9f8c8a3', '영수증 번호'],
    ] as const)
      expect(await stage.read(mapped(encoding, ordering, shown(hex))), encoding).to.deep.include({ text, needs_ocr: false, notes: [] })
  })

  it('F4 characters that a font names by their number in a known collection are read', async () => {
    for (const [ordering, hex, text] of [
      ['Japan1', '002200230024034b034c034d', 'ABCあぃい'],
      ['GB1', '002200230fa00fa1', 'AB姓兄'],
      ['Korea1', '002200230fa00fa1', 'AB硅窺'],
    ] as const)
      expect((await stage.read(mapped('Identity-H', ordering, shown(hex)))).text, ordering).to.equal(text)
  })

  it('F4 vertical writing is read with its words where they are', async () => {
    const lines = 'BT /F 16 Tf 200 250 Td <6e2f306e6e21> Tj -30 0 Td <51fa307e30593002> Tj ET'
    const read = await stage.read(mapped('UniJIS-UTF16-V', 'Japan1', lines), { want: ['positions'] })
    expect(read.text).to.equal('港の渡\n出ます。')
    expect(read.positions?.[0]?.words[0]).to.include({ x: 192, y: 50, width: 16, height: 48 })
  })

  it('F4 a page whose text cannot be read is distinguished from one with pictures alone', async () => {
    expect(await stage.read(mapped('No-Such-Map-H', 'Japan1', shown('0022')))).to.deep.include({
      ...{ text: '', needs_ocr: true, pages_without_text: [1], unread_pages: [1] },
      notes: ['Page 1 has text in letters that could not be read.'],
    })
    expect(await stage.read(pdf([{ content: 'BT ET 0 0 10 10 re f' }]))).to.deep.include({ needs_ocr: true, unread_pages: [], notes: [] })
  })

  it('F20 files attached to a place on any page are given, and one that the list of names has too only once', async () => {
    const files = ['factur-x.xml', 'notes.txt'].map(
      (name, at) =>
        `${10 + 3 * at} 0 obj <</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS ${11 + 3 * at} 0 R>> endobj
${11 + 3 * at} 0 obj <</Type/Filespec/F(${name})/UF(${name})/EF<</F ${12 + 3 * at} 0 R>>>> endobj
${12 + 3 * at} 0 obj <</Type/EmbeddedFile/Length 10>> stream
<Invoice/>
endstream endobj`,
    )
    const shownText = { content: 'BT /F 12 Tf 20 250 Td (Invoice) Tj ET' }
    const document = (catalog: string): Buffer => {
      const text = pdf([shownText, shownText], catalog, files.join('\n')).toString('latin1')
      return Buffer.from(text.replace(/(.*)\/Annots\[6 0 R\]/s, '$1/Annots[10 0 R 13 0 R]'), 'latin1')
    }
    for (const catalog of ['', '/Names<</EmbeddedFiles<</Names[(factur-x.xml) 11 0 R]>>>>']) {
      const { attachments } = await stage.read(document(catalog), { want: ['attachments'] })
      expect(attachments).to.have.length(2)
      expect(attachments[0]).to.include({ name: 'factur-x.xml', content_type: 'text/xml', size: 10, text: '<Invoice/>' })
      expect(attachments[1]).to.include({ name: 'notes.txt', content_type: null })
    }
  })

  it('F19 two columns of running text are read one after the other', async () => {
    const lines = ['the narrow sound', 'has deep water', 'and strong tides', 'as all who cross', 'it by night know', 'from the pilots']
    const rows = lines.map((line, at) => `BT /F 12 Tf 20 ${250 - at * 14} Td (${line}) Tj 140 0 Td (left ${line}) Tj ET`)
    expect((await stage.read(pdf([{ content: rows.join('\n') }]))).text).to.equal(
      `${lines.join('\n')}\n\n${lines.map((line) => `left ${line}`).join('\n')}`,
    )
  })

  it('F4 a character map that is not installed is named with the package that has it, and no other file is opened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maps-'))
    try {
      const { missing, Factory } = characterMaps([folder, join(folder, 'none')])
      for (const name of ['UniKS-UTF16-H', '../../secret'])
        expect((await errorOf(new Factory().fetch({ kind: 'cMapUrl', filename: name }))).message).to.contain(name)
      expect([...missing]).to.deep.equal(['UniKS-UTF16-H'])
      expect(unreadNotes({ unread: [2, 5], unmapped: unmappedIn('a\ue000\u0003 b\tc') }, missing)).to.deep.equal([
        'Text that needs the character maps UniKS-UTF16-H was not read: install the Debian package poppler-data, which has them.',
        '2 pages, the first of them page 2, have text in letters that could not be read.',
        '2 characters could not be read: their font does not say which letters they are.',
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
