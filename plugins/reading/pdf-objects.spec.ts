import { expect } from 'chai'
import { deflateSync } from 'node:zlib'
import { pdf } from '../../test/support/documents.js'
import { embeddedFiles } from './parse/pdf-files.js'
import { PdfObjects } from './parse/pdf-objects.js'
import { Replacements } from './parse/pdf-replacements.js'
import readPdf from './parse/pdf.js'
import type { Read } from './parse/read.js'

const SHOWN = 'BT /F 12 Tf 20 250 Td (Invoice) Tj ET'
const FILE = `11 0 obj <</Type/Filespec/F(a.xml)/EF<</F 12 0 R>>>> endobj
12 0 obj <</Type/EmbeddedFile/Length 4>> stream\n<a/>\nendstream endobj`
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const marked = (properties: string): string => `/Span ${properties} BDC ${SHOWN} EMC`
const stream = (number: number, dictionary: string, content: string): string =>
  `${number} 0 obj <<${dictionary}/Length ${content.length}>> stream\n${content}\nendstream endobj`
/** A document whose page has other resources beside its font. */
const withResources = (resources: string, content: string, objects: string): Buffer =>
  Buffer.from(
    pdf([{ content }], '', objects).toString('latin1').replace('/Font<</F 4 0 R>>>>/Annots', `/Font<</F 4 0 R>>${resources}>>/Annots`),
    'latin1',
  )

async function read(bytes: Uint8Array): Promise<Read> {
  const args = { format: null, contentType: '', ending: 'pdf', html: false, tables: false, positions: false }
  return await readPdf(Uint8Array.from(bytes), { ...args, attachments: true, firstPage: 1, maxPages: 10 })
}

function replacements(file: Buffer, ms?: number): { marks: number | null; notes: readonly string[] } {
  const found = new Replacements(new PdfObjects(file, 5_000), ms)
  return { marks: found.of({ number: 1, object: 100 })?.length ?? null, notes: found.notes }
}

describe('reading: objects of a PDF', () => {
  it('F20 associated files of the catalogue, a page, an annotation and a structure element are given', async () => {
    const specification = '<</Type/Filespec/F(factur-x.xml)/AFRelationship/Alternative/EF<</F 12 0 R>>>>'
    const stream = '12 0 obj <</Type/EmbeddedFile/Subtype/text#2Fxml/Length 10>> stream\n<Invoice/>\nendstream endobj'
    const objects = `11 0 obj ${specification} endobj\n${stream}`
    const usual = pdf([{ content: SHOWN }], '', objects).toString('latin1')
    const element = `/StructTreeRoot<</Type/StructTreeRoot/K[<</S/P/AF[11 0 R]>>]>>`
    for (const [place, file] of [
      ['catalogue', pdf([{ content: SHOWN }], '/AF[11 0 R]', objects)],
      ['catalogue, the specification itself', pdf([{ content: SHOWN }], `/AF[${specification}]`, stream)],
      ['page', Buffer.from(usual.replace('/Type/Page/', '/Type/Page/AF[11 0 R]/'), 'latin1')],
      ['page, one reference', Buffer.from(usual.replace('/Type/Page/', '/Type/Page/AF 11 0 R/'), 'latin1')],
      ['annotation', Buffer.from(usual.replace('/Subtype/Link', '/Subtype/Link/AF[11 0 R]'), 'latin1')],
      ['structure element', pdf([{ content: SHOWN }], element, objects)],
    ] as const) {
      const { attachments } = await read(file)
      expect(attachments, place).to.have.length(1)
      expect(attachments[0], place).to.include({
        name: 'factur-x.xml',
        content_type: 'text/xml',
        size: 10,
        base64: Buffer.from('<Invoice/>').toString('base64'),
      })
    }
    const broken = pdf([{ content: SHOWN }], '/AF[11 0 R]', objects.replace('/Length', '/Filter/FlateDecode/Length'))
    const { attachments, notes } = await read(broken)
    expect([attachments, notes]).to.deep.equal([[], ['Attached files that could not be unpacked: 1.']])
  })

  it('F19 a text that replaces marked content or a structure element is read in its place', async () => {
    const drawnText = '(D i f f) Tj (icult w) Tj (ords) Tj'
    const line = (begin: string, drawnLine = drawnText): string => `BT /F 16 Tf 20 250 Td ${begin} ${drawnLine} EMC ET`
    const element = (kid: string): string => `/StructTreeRoot<</Type/StructTreeRoot/K[<</S/Span/ActualText(Difficult words)/K ${kid}>>]>>`
    for (const [what, file, text] of [
      ['marked content', pdf([{ content: line('/Span <</ActualText (Difficult words)>> BDC') }]), 'Difficult words'],
      ['UTF-16', pdf([{ content: line('/Span <</ActualText <FEFF0044006F0157>>> BDC') }]), 'Do\u0157'],
      ['the outer of two', pdf([{ content: `/P <</ActualText(Outer)>> BDC ${line('/Span <</ActualText(inner)>> BDC')} EMC` }]), 'Outer'],
      ['a structure element', pdf([{ content: line('/Span <</MCID 0>> BDC') }], element('<</MCID 0/Pg 100 0 R>>')), 'Difficult words'],
      ['a ligature', pdf([{ content: line('/Span <</ActualText(ff)>> BDC', '(x) Tj') }]), 'ff'],
      ['blanks in the place of letters', pdf([{ content: line('/Span <</ActualText()>> BDC', '(word) Tj') }]), 'word'],
    ] as const)
      expect((await read(file)).text.replace(/^#+ /, ''), what).to.equal(text)
  })

  it('F19 a document whose objects cannot be read is read as it is drawn, with a note', async () => {
    const structure = (kids: string): string => `/StructTreeRoot<</Type/StructTreeRoot/K ${kids}>>`
    const deep = 'its objects are nested too deep'
    for (const [what, file, notes] of [
      [
        'marked content',
        pdf([{ content: marked(`<</ActualText(x)/A ${nested(100)}>>`) }]),
        [`Replacement texts of page 1 were not read: ${deep}.`],
      ],
      [
        'two pages of three',
        pdf([
          { content: marked(`<</ActualText(x)/A ${nested(100)}>>`) },
          { content: 'BT ET' },
          { content: marked(`<</ActualText(y)/A ${nested(65)}>>`) },
        ]),
        [`Replacement texts of 2 pages, the first of them page 1, were not read: ${deep}.`],
      ],
      [
        'structure element',
        pdf([{ content: SHOWN }], structure('10 0 R'), `10 0 obj ${nested(100)} endobj`),
        [`Replacement texts and associated files that this PDF may have were not read: ${deep}.`],
      ],
      [
        'catalogue',
        pdf([{ content: SHOWN }], `/A ${nested(100)}`),
        [`Replacement texts and associated files that this PDF may have were not read: ${deep}.`],
      ],
    ] as const) {
      const { text, notes: found } = await read(file)
      expect([text.replace(/\n\n.*/s, ''), found], what).to.deep.equal(['Invoice', notes])
    }
  })

  it('F19 damaged streams and lists, and what refers to itself, are passed over', async () => {
    const element = '/StructTreeRoot<</Type/StructTreeRoot/K 10 0 R>>'
    for (const [what, file] of [
      [
        'elements in a circle',
        pdf([{ content: marked('<</MCID 0>>') }], element, '10 0 obj <</S/P/K[10 0 R 13 0 R]>> endobj 13 0 obj [10 0 R 13 0 R 0] endobj'),
      ],
      ['an element without kids', pdf([{ content: marked('<</MCID 0>>') }], element, '10 0 obj <</S/P/ActualText(x)/K null>> endobj')],
      ['a list of properties that is missing', pdf([{ content: marked('/None') }])],
      [
        'a form that draws itself',
        withResources(
          '/XObject<</A 10 0 R>>',
          `/A Do ${SHOWN}`,
          stream(10, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 10 0 R>>>>', '/A Do'),
        ),
      ],
      [
        'a form that cannot be unpacked',
        withResources('/XObject<</A 10 0 R>>', SHOWN, stream(10, '/Subtype/Form/Filter/FlateDecode', 'ActualText')),
      ],
      ['a length that is itself', pdf([{ content: SHOWN }], '/A 10 0 R', '10 0 obj <</Length 10 0 R>> stream\nx\nendstream endobj')],
      [
        'an object stream that is no such thing',
        pdf([{ content: SHOWN }], '/A 14 0 R', stream(10, '/Type/ObjStm/N 5/First 9/Filter/FlateDecode', 'none')),
      ],
      [
        'an object stream with places outside of it',
        pdf([{ content: SHOWN }], '/A 14 0 R', stream(10, '/Type/ObjStm/N 1e9/First -3', '14 99999 15 -4 16')),
      ],
    ] as const)
      expect(await read(file), what).to.deep.include({ text: 'Invoice', notes: [], attachments: [] })
  })

  it('F20 files are found in annotations and structure elements of any kind', async () => {
    const places = [
      [
        'in an annotation of a later page',
        pdf([{ content: SHOWN }], '', `${FILE}\n10 0 obj <</Subtype/Text/Rect[0 0 9 9]/AF[11 0 R]>> endobj`),
        '/Annots[6 0 R]',
        '/Annots[6 0 R 10 0 R]',
      ],
      [
        'in an annotation that plays it',
        pdf(
          [{ content: SHOWN }],
          '',
          `${FILE}\n10 0 obj <</Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<</Assets<</Names[(a.xml) 11 0 R]>>>>>> endobj`,
        ),
        '/Annots[6 0 R]',
        '/Annots[10 0 R]',
      ],
      [
        'in an element of an element',
        pdf([{ content: SHOWN }], '/StructTreeRoot<</K<</S/Document/K[<</S/P/K<</S/Formula/AF 11 0 R>>>>]>>>>', FILE),
        '',
        '',
      ],
      ['in the properties of marked content', withResources('/Properties<</P <</MCAF[11 0 R]>>>>', SHOWN, FILE), '', ''],
    ] as const
    for (const [what, file, from, to] of places) {
      const { attachments } = await read(Buffer.from(file.toString('latin1').replace(from, to), 'latin1'))
      expect(
        attachments.map(({ name, base64 }) => [name, base64]),
        what,
      ).to.deep.equal([['a.xml', Buffer.from('<a/>').toString('base64')]])
    }
  })

  it('F19 a text is replaced by elements of elements, references to marked content and forms', async () => {
    const element = (text: string, kids: string): string =>
      `/StructTreeRoot<</K[<</S/Document/K[<</S/P/Pg 100 0 R/ActualText(${text})/K ${kids}>>]>>]>>`
    const form = stream(
      10,
      '/Type/XObject/Subtype/Form/BBox[0 0 300 300]/StructParents 1/Resources<</Font<</F 4 0 R>>>>',
      marked('<</MCID 0>>'),
    )
    for (const [what, file] of [
      ['number', pdf([{ content: marked('<</MCID 0>>') }], element('Bill', '[0]'))],
      ['element within', pdf([{ content: marked('<</MCID 7>>') }], element('Bill', '<</S/Span/ActualText(no)/K 7>>'))],
      ['properties by name', withResources('/Properties<</P 10 0 R>>', marked('/P'), '10 0 obj <</ActualText(Bill)>> endobj')],
      [
        'form',
        withResources('/XObject<</A 10 0 R>>', '/A Do', `${form}\n`)
          .toString('latin1')
          .replace('/Lang', `${element('Bill', '<</Type/MCR/Stm 10 0 R/MCID 0>>')}/Lang`),
      ],
    ] as const)
      expect((await read(Buffer.from(file as string, 'latin1'))).text, what).to.equal('Bill')
  })

  it('F19 counts, sizes and times of replacement texts are bounded', () => {
    const note = (reason: string): string => `Replacement texts of page 1 were not read: ${reason}.`
    const forms = Array.from({ length: 9 }, (_, at) =>
      stream(10 + at, `/Subtype/Form/Resources<</XObject<</A ${11 + at} 0 R>>>>`, `/Span<</ActualText(x)>>BDC EMC ${'/A Do '.repeat(20)}`),
    )
    const zeros = deflateSync(Buffer.alloc(20 << 20, ' ')).toString('hex')
    for (const [what, file, reason, ms] of [
      ['marks', pdf([{ content: '/ActualText BMC EMC '.repeat(200_100) }]), 'it has too much marked content', 5_000],
      ['forms that multiply', withResources('/XObject<</A 10 0 R>>', '/A Do', forms.join('\n')), 'that took too long', 50],
      ['no time', pdf([{ content: marked('<</ActualText(x)>>') }]), 'that took too long', 0],
      ['a long text', pdf([{ content: marked(`<</ActualText(${'x'.repeat(1_100_000)})>>`) }]), 'one of them is too long', 5_000],
      [
        'content',
        withResources('', SHOWN, stream(10, '/Filter[/ASCIIHexDecode/FlateDecode]', zeros))
          .toString('latin1')
          .replace('/Contents 101 0 R', `/Contents[${'10 0 R '.repeat(4)}]`),
        'its content is too large',
        5_000,
      ],
    ] as const) {
      const { marks, notes } = replacements(Buffer.from(file as string, 'latin1'), ms)
      expect(marks, what).to.equal(null)
      const structure = `Replacement texts of this PDF were not all read: ${reason}.`
      expect(notes, what).to.deep.equal(ms === 0 ? [structure, note(reason)] : [note(reason)])
    }
  })

  it('F20 counts, sizes and times of the search for files are bounded', () => {
    const specifications = (count: number, of: number): string =>
      Array.from({ length: count }, (_, at) => `${200 + at} 0 obj <</F(a${at})/EF<</F ${of} 0 R>>>> endobj`).join('\n')
    const all = (count: number): string => `/AF[${Array.from({ length: count }, (_, at) => `${200 + at} 0 R`).join(' ')}]`
    const large = stream(10, '/Filter[/ASCIIHexDecode/FlateDecode]', deflateSync(Buffer.alloc(30 << 20)).toString('hex'))
    const tooMany = 'there are too many, or they are too large'
    for (const [what, file, found, skipped, ms] of [
      ['none skipped', pdf([{ content: SHOWN }], all(150), `${FILE}\n${specifications(150, 12)}`), 150, null, 5_000],
      ['number', pdf([{ content: SHOWN }], all(300), `${FILE}\n${specifications(300, 12)}`), 200, tooMany, 5_000],
      ['size', pdf([{ content: SHOWN }], all(5), `${large}\n${specifications(5, 10)}`), 3, tooMany, 5_000],
      ['time', pdf([{ content: SHOWN }], all(5), `${FILE}\n${specifications(5, 12)}`), 0, 'that took too long', -1],
    ] as const) {
      const answer = embeddedFiles(new PdfObjects(Buffer.from(file.toString('latin1'), 'latin1'), 5_000), ms)
      expect([answer.files.length, answer.skipped], what).to.deep.equal([found, skipped])
    }
  })

  it('objects that each go on to the end of the file are given up after the time for them', () => {
    for (const text of ['1 0 obj (', '1 0 obj <</Type/ObjStm/N 9/First 9>> stream\n', '1 0 obj [', '1 0 obj % ']) {
      const file = Buffer.from(`%PDF-1.7\n${Array.from({ length: 20_000 }, (_, at) => text.replace('1', String(at + 1))).join('')}`)
      expect(() => new PdfObjects(file, 20), text).to.throw('that took too long')
    }
  })
})
