import { expect } from 'chai'
import { docx, EPUB, ODT, PPTX, type Parts } from '../../test/support/documents.js'
import { readOfficeFile } from '../../test/support/read-file.js'
import { writeZip } from '../../test/support/zip-writer.js'

const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(' ')
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...list: readonly (readonly [id: string, type: string, target: string, mode?: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ([id, type, target, mode = 'Internal']) =>
        `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}" TargetMode="${mode}"/>`,
    )
    .join('')}</Relationships>`
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const styled = (style: string, text: string): string => paragraph(run(text), `<w:pStyle w:val="${style}"/>`)
const item = (num: number, level: number, text: string): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${num}"/></w:numPr>`)
const part = (root: string, content: string): string => `<w:${root} ${NAMESPACES}>${content}</w:${root}>`
const word = (body: string, parts: Parts = {}): Uint8Array =>
  docx({ 'docProps/core.xml': '<x/>', 'word/document.xml': part('document', `<w:body>${body}</w:body>`), ...parts })

const mathRun = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
const of = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`
const math = (content: string): string => `<m:oMath>${content}</m:oMath>`
const FORMULAS: readonly (readonly [omml: string, text: string])[] = [
  [of('f', of('num', mathRun('a+b')) + of('den', mathRun('2'))), '(a+b)/2'],
  [of('sSup', of('e', mathRun('x')) + of('sup', mathRun('2'))) + mathRun('=49'), 'x^2=49'],
  [of('sSub', of('e', mathRun('v')) + of('sub', mathRun('i+1'))) + mathRun('*w_i'), 'v_(i+1)*w_i'],
  [of('sSubSup', of('e', mathRun('x')) + of('sub', mathRun('0')) + of('sup', mathRun('n'))), 'x_0^n'],
  [of('rad', '<m:radPr><m:degHide m:val="1"/></m:radPr>' + of('deg', '') + of('e', mathRun('x+1'))), '√(x+1)'],
  [of('rad', of('deg', mathRun('3')) + of('e', mathRun('8'))), '∛8'],
  [
    of('nary', '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' + of('sub', mathRun('i=1')) + of('sup', mathRun('n')) + of('e', mathRun('i'))),
    '∑_(i=1)^n i',
  ],
  [
    of(
      'd',
      of('e', of('m', of('mr', of('e', mathRun('1')) + of('e', mathRun('0'))) + of('mr', of('e', mathRun('0')) + of('e', mathRun('1'))))),
    ),
    '([1, 0; 0, 1])',
  ],
  [of('func', of('fName', mathRun('sin')) + of('e', mathRun('x'))), 'sin x'],
  [
    of('sSup', of('e', of('d', of('e', mathRun('a'))) + mathRun('+') + of('d', of('e', mathRun('b')))) + of('sup', mathRun('2'))),
    '((a)+(b))^2',
  ],
  [of('sSup', of('e', of('d', of('e', mathRun('a-b')))) + of('sup', mathRun('2'))), '(a-b)^2'],
  [of('acc', of('accPr', '') + of('e', mathRun('y'))), 'ŷ'],
]

const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const NUMBERING: Parts = {
  'word/styles.xml': part(
    'styles',
    `<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
     <w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
     <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift2"/></w:style>
     <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>`,
  ),
  'word/numbering.xml': part(
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="1">${level(0, 'upperLetter', '(%1)')}${level(1, 'lowerRoman', '%2)')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1.')}${level(1, 'bullet', '•')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="3">${level(0, 'upperRoman', 'Article %1')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}${level(2, 'chineseCounting', '第%3条', '<w:lvlRestart w:val="0"/>')}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
     <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="5"><w:abstractNumId w:val="3"/></w:num>
     <w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`,
  ),
}

const chart = (series: string, title = ''): string =>
  `<c:chartSpace ${NAMESPACES}><c:chart>${title}<c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`
const points = (...values: readonly string[]): string => values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')
const series = (name: string, categories: string, values: string): string =>
  `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:cat>${categories}</c:cat><c:val><c:numRef><c:numCache>${values}</c:numCache></c:numRef></c:val></c:ser>`
const YEARS = `<c:strRef><c:strCache>${points('2023', '2024')}</c:strCache></c:strRef>`
const DAYS = `<c:numRef><c:numCache><c:formatCode>d.m.yy</c:formatCode>${points('45358')}</c:numCache></c:numRef>`
const PASSENGERS = chart(series('Passengers', YEARS, points('48211', '0.1')) + series('Cars', YEARS, points('7')))

describe('reading: Word documents', () => {
  it('F8 formulas are text in one line, without escapes', async () => {
    const { text, html } = await readOfficeFile(
      word(FORMULAS.map(([omml]) => paragraph(`${run('It is ')}${math(omml)}${run('.')}`)).join('')),
    )
    expect(text.split('\n\n')).to.deep.equal(FORMULAS.map(([, formula]) => `It is ${formula}.`))
    expect(html).to.contain('<span class="formula">x^2=49</span>')
  })

  it('F8 a formula in a paragraph of its own, and in a cell, is read; one that is stored as a picture is named', async () => {
    const [[fraction], [square]] = [FORMULAS[0] ?? ['', ''], FORMULAS[1] ?? ['', '']]
    const table = `<w:tbl><w:tr><w:tc>${paragraph(math(square))}</w:tc><w:tc>${paragraph(run('b'))}</w:tc></w:tr></w:tbl>`
    const old = `<w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="i1"/></v:shape><o:OLEObject xmlns:o="o" ProgID="Equation.3"/></w:object></w:r>`
    const read = await readOfficeFile(
      word(paragraph(`<m:oMathPara>${math(fraction)}</m:oMathPara>`) + table + paragraph(old), {
        'word/_rels/document.xml.rels': relations(['i1', 'image', 'media/a.png']),
        'word/media/a.png': 'x',
      }),
    )
    expect(read.text).to.equal('(a+b)/2\n\n| x^2=49 | b |\n| --- | --- |')
    expect(read.notes).to.deep.equal(['1 formula that is stored as a picture was left out.'])
  })

  it('F14 numbers of headings and of lists are those that Word shows', async () => {
    const { text } = await readOfficeFile(
      word(
        [
          ...[styled('Heading1', 'Definitions'), styled('berschrift2', 'Terms of use'), paragraph(run('As 2.2 says.'))],
          ...[styled('Heading1', 'Fees'), styled('berschrift2', 'Amount'), styled('Own', 'Based on it'), styled('berschrift2', 'Due date')],
          ...[
            item(2, 0, 'the first'),
            paragraph(run('between')),
            item(2, 1, 'one'),
            item(2, 1, 'two'),
            item(2, 0, 'the second'),
            item(2, 1, 'anew'),
          ],
        ].join(''),
        NUMBERING,
      ),
    )
    expect(text.split('\n\n')).to.deep.equal([
      ...['# 1. Definitions', '## 1.1 Terms of use', 'As 2.2 says.', '# 2. Fees', '## 2.1 Amount', '2.2 Based on it', '## 2.3 Due date'],
      ...['(A) the first', 'between', 'i) one', 'ii) two', '(B) the second', 'i) anew'],
    ])
  })

  it('F14 a plain list stays a list, and goes on with its number behind another paragraph or begins where it says', async () => {
    const { text } = await readOfficeFile(
      word(
        [
          item(3, 0, 'one'),
          item(3, 0, 'two'),
          item(3, 1, 'point'),
          paragraph(run('between')),
          item(3, 0, 'three'),
          paragraph(run('and')),
          item(4, 0, 'seven'),
        ].join(''),
        NUMBERING,
      ),
    )
    expect(text).to.equal('1.  one\n2.  two\n    -   point\n\nbetween\n\n3. three\n\nand\n\n7. seven')
  })

  it('F14 levels in legal form, Chinese numbers and levels that never begin anew are counted', async () => {
    const { text } = await readOfficeFile(
      word([item(5, 0, 'a'), item(5, 1, 'b'), item(5, 2, 'c'), item(5, 0, 'd'), item(5, 1, 'e'), item(5, 2, 'f')].join(''), NUMBERING),
    )
    expect(text.split('\n\n')).to.deep.equal(['Article I a', '1.1 b', '第一条 c', 'Article II d', '2.1 e', '第二条 f'])
  })

  it('F14 a letterhead and footers are read once each, with their own links, page numbers are not', async () => {
    const header = part('hdr', `<w:p><w:hyperlink r:id="l1">${run('Sound Ferries Ltd')}</w:hyperlink>${run(', VAT 12345')}</w:p>`)
    const { text, links, html } = await readOfficeFile(
      word(paragraph(run('The body.')), {
        'word/_rels/document.xml.rels': relations(
          ...([['h1', 'header', 'header1.xml'], ['h2', 'header', 'header2.xml'], ['f1', 'footer', 'footer1.xml'], ['f2', 'footer', 'footer2.xml'], ['l1', 'hyperlink', 'https://d.example/other', 'External']] as const), // prettier-ignore
        ),
        ...{ 'word/header1.xml': header, 'word/header2.xml': header },
        'word/_rels/header1.xml.rels': relations(['l1', 'hyperlink', 'https://d.example/home', 'External']),
        'word/_rels/header2.xml.rels': relations(['l1', 'hyperlink', 'https://d.example/home', 'External']),
        'word/footer1.xml': part('ftr', paragraph(run('IBAN NO93 8601 1117 947'))),
        'word/footer2.xml': part('ftr', paragraph(run('- 3 -'))),
      }),
    )
    expect(text).to.equal('[Sound Ferries Ltd](https://d.example/home), VAT 12345\n\nThe body.\n\nIBAN NO93 8601 1117 947')
    expect(links).to.include('https://d.example/home')
    expect(html).to.match(/^<header>.*<\/header><p>The body\.<\/p><footer>/)
  })

  it('F14 a chart is a table of its stored values, one without them is named', async () => {
    const drawing = (id: string): string =>
      `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
    const { text, notes } = await readOfficeFile(
      word(paragraph(run('See:') + drawing('c1')) + paragraph(drawing('c2')), {
        'word/_rels/document.xml.rels': relations(['c1', 'chart', 'charts/chart1.xml'], ['c2', 'chart', 'charts/chart2.xml']),
        'word/charts/chart1.xml': PASSENGERS,
        'word/charts/chart2.xml': chart(''),
      }),
    )
    expect(text).to.equal('See:\n\n|  | Passengers | Cars |\n| --- | --- | --- |\n| 2023 | 48211 | 7 |\n| 2024 | 0.1 |  |')
    expect(notes).to.deep.equal(['1 chart or diagram was left out.'])
  })

  it('newcomer 21 the style Title is the heading and the title, a header row is the head of its table, and pictures left out are named', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(run(text))}</w:tc>`
    const table = `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Colour')}${cell('Price')}</w:tr><w:tr>${cell('red')}${cell('12.50')}</w:tr></w:tbl>`
    const picture = `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A red kettle"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="i1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
    const read = await readOfficeFile(
      word(styled('Titel', 'Red kettles') + table + paragraph(picture) + paragraph(picture.replace(' descr="A red kettle"', '')), {
        ...NUMBERING,
        'word/_rels/document.xml.rels': relations(['i1', 'image', 'media/a.png']),
        'word/media/a.png': 'x',
      }),
    )
    expect(read.title).to.equal('Red kettles')
    expect(read.text).to.equal('# Red kettles\n\n| Colour | Price |\n| --- | --- |\n| red | 12.50 |\n\nA red kettle')
    expect(read.notes).to.deep.equal(['2 pictures were left out.'])
  })

  for (const [name, look, head] of [
    ['by name', '<w:tblLook w:firstRow="1"/>', 'th'],
    ['by its bit', '<w:tblLook w:val="04A0"/>', 'th'],
    ['not at all', '<w:tblLook w:val="0480" w:firstRow="0"/>', 'td'],
  ] as const)
    it(`newcomer 21 the first row is a head in HTML where the look of the table says so: ${name}`, async () => {
      const row = `<w:tr><w:tc>${paragraph(run('a'))}</w:tc><w:tc>${paragraph(run('b'))}</w:tc></w:tr>`
      const { html, text } = await readOfficeFile(word(`<w:tbl><w:tblPr>${look}</w:tblPr>${row}${row}</w:tbl>`))
      expect(html).to.contain(`<tr><${head}><p>a</p></${head}>`).and.contain('<tr><td><p>a</p></td>')
      expect(text).to.equal('| a | b |\n| --- | --- |\n| a | b |')
    })

  it('simple fields, ruby, and text boxes without an older form are read', async () => {
    const ruby =
      '<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>みなと</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>港</w:t></w:r></w:rubyBase></w:ruby></w:r>'
    const box = `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${paragraph(run('In a box'))}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
    const alternative = `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box.slice(5, -6)}</mc:Choice></mc:AlternateContent></w:r>`
    const field = `<w:fldSimple w:instr=" SEQ Table ">${run('4')}</w:fldSimple>`
    const { text } = await readOfficeFile(
      word([paragraph(run('Table ') + field), paragraph(ruby), paragraph(box), paragraph(alternative)].join('')),
    )
    expect(text.split('\n\n')).to.deep.equal(['Table 4', '港(みなと)', 'In a box', 'In a box'])
  })
})

describe('reading: presentations', () => {
  const slide = (shapes: string): string => `<p:sld xmlns:p="p" ${NAMESPACES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
  const frame = (id: string): string =>
    `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`
  const deck = (shapes: string, parts: Parts): Uint8Array =>
    writeZip({
      ...PPTX,
      'ppt/_rels/presentation.xml.rels': relations(['r1', 'slide', 'slides/slide1.xml']),
      'ppt/slides/slide1.xml': slide(shapes),
      ...parts,
    })

  it('F14 a chart is a table of its stored values with its title, pictures and empty charts are named', async () => {
    const title = '<c:title><c:tx><c:rich><a:p><a:r><a:t>By </a:t></a:r><a:r><a:t>day</a:t></a:r></a:p></c:rich></c:tx></c:title>'
    const { text, notes } = await readOfficeFile(
      deck(`${frame('c1')}${frame('c2')}<p:pic><p:nvPicPr><p:cNvPr id="1" descr="A harbour"/></p:nvPicPr></p:pic>${frame('c3')}`, {
        'ppt/slides/_rels/slide1.xml.rels': relations(['c1', 'chart', '../charts/a.xml'], ['c2', 'chart', '../charts/b.xml'], ['c3', 'chart', '../charts/c.xml']), // prettier-ignore
        ...{
          'ppt/charts/a.xml': PASSENGERS,
          'ppt/charts/b.xml': chart(series('', DAYS, points('3.5')), title),
          'ppt/charts/c.xml': chart(''),
        },
      }),
    )
    expect(text).to.contain('|  | Passengers | Cars |\n| --- | --- | --- |\n| 2023 | 48211 | 7 |\n| 2024 | 0.1 |  |')
    expect(text).to.contain('By day\n\n|  |  |\n| --- | --- |\n| 2024-03-07 | 3.5 |\n\nA harbour')
    expect(notes).to.deep.equal(['1 picture was left out.', '1 chart or diagram was left out.'])
  })

  it('F14 a diagram gives the texts of its points', async () => {
    const data = `<dgm:dataModel xmlns:dgm="d" ${NAMESPACES}><dgm:ptLst>${['Order', 'Deliver'].map((text) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')}</dgm:ptLst></dgm:dataModel>`
    const frameOf =
      '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds xmlns:dgm="d" r:dm="d1"/></a:graphicData></a:graphic></p:graphicFrame>'
    const { text } = await readOfficeFile(
      deck(frameOf, {
        'ppt/slides/_rels/slide1.xml.rels': relations(['d1', 'diagramData', '../diagrams/data1.xml']),
        'ppt/diagrams/data1.xml': data,
      }),
    )
    expect(text).to.equal('Order\n\nDeliver')
  })

  it('the first row of a table is a head in HTML where the table says so', async () => {
    const row = '<a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc></a:tr>'
    const html = async (properties: string): Promise<string | null> =>
      (await readOfficeFile(deck(`<a:tbl>${properties}${row}${row}</a:tbl>`, {}))).html
    expect(await html('<a:tblPr firstRow="1"/>')).to.contain('<tr><th><p>a</p></th></tr><tr><td>')
    expect(await html('<a:tblPr/>')).not.to.contain('<th>')
  })

  it('F8 formulas are read in their line, and the picture of them is not', async () => {
    const choice = (content: string): string =>
      `<mc:AlternateContent><mc:Choice Requires="a14"><p:sp><p:txBody><a:p><a:r><a:t>It is </a:t></a:r><a14:m xmlns:a14="x">${content}</a14:m></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>not this</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>`
    const { text } = await readOfficeFile(deck(FORMULAS.map(([omml]) => choice(math(omml))).join(''), {}))
    expect(text.split('\n\n')).to.deep.equal(FORMULAS.map(([, formula]) => `It is ${formula}`))
  })
})

const MATHML: readonly (readonly [mathml: string, text: string])[] = [
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>', '(a+b)/2'],
  ['<msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mn>49</mn>', 'x^2=49'],
  [
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>',
    '∑_(i=1)^na_i',
  ],
  ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mn>8</mn><mn>3</mn></mroot>', '√(x+1)∛8'],
  ['<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>', '[1, 2]'],
]

describe('reading: OpenDocument texts', () => {
  const odt = (body: string, parts: Parts): Uint8Array =>
    writeZip({ ...ODT, 'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:xlink="x"><office:body><office:text>${body}</office:text></office:body></office:document-content>`, ...parts }) // prettier-ignore
  const object = (at: number): string =>
    `<text:p>It is <draw:frame><draw:object xlink:href="./Object ${at}"/><draw:image xlink:href="./ObjectReplacements/Object ${at}"/></draw:frame>.</text:p>`

  it('F8 formulas are read from their objects', async () => {
    const objects = MATHML.map(([mathml], at) => [
      `Object ${at}/content.xml`,
      `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow>${mathml}</mrow><annotation encoding="StarMath 5.0">source</annotation></semantics></math>`,
    ])
    const { text, notes } = await readOfficeFile(odt(MATHML.map((_, at) => object(at)).join(''), Object.fromEntries(objects) as Parts))
    expect(text.split('\n\n')).to.deep.equal(MATHML.map(([, formula]) => `It is ${formula}.`))
    expect(notes).to.deep.equal([])
  })

  it('F14 header and footer are read once, an object that holds itself ends, and pictures are named', async () => {
    const page = '<style:header><text:p>Sound Ferries Ltd</text:p></style:header><style:footer><text:p>IBAN NO93</text:p></style:footer>'
    const { text, notes } = await readOfficeFile(
      odt(`<text:p>Body<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>${object(1)}`, {
        'styles.xml': `<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:text="t"><office:styles><text:p>not this</text:p></office:styles><office:master-styles><style:master-page>${page}</style:master-page><style:master-page>${page}</style:master-page></office:master-styles></office:document-styles>`,
        'Object 1/content.xml':
          '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:xlink="x"><text:span>once</text:span><draw:object xlink:href="./Object 1"/></office:document-content>',
      }),
    )
    expect(text).to.equal('Sound Ferries Ltd\n\nBody\n\nIt is onceonce.\n\nIBAN NO93')
    expect(notes).to.deep.equal(['1 picture was left out.'])
  })
})

describe('reading: books', () => {
  const book = (body: string): Uint8Array =>
    writeZip({ ...EPUB, 'OPS/two.xhtml': `<html><body>${body}</body></html>`, 'OPS/one .xhtml': '<html><body/></html>' })

  it('F21 ruby has its reading in brackets, with and without those of the file', async () => {
    const { text } = await readOfficeFile(
      book(
        '<p><ruby>明治<rt>めいじ</rt></ruby>と<ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>と<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>と<ruby><rb>漢</rb><rt>かん</rt><rb>字</rb><rt>じ</rt></ruby></p>',
      ),
    )
    expect(text).to.equal('明治(めいじ)と港(みなと)と東(とう)京(きょう)と漢(かん)字(じ)')
  })

  it('F8 MathML is one line, or its TeX where it has it; pictures are named', async () => {
    const formulas = MATHML.map(([mathml]) => `<p>It is <math xmlns="http://www.w3.org/1998/Math/MathML">${mathml}</math>.</p>`).join('')
    const tex =
      '<p><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E = mc^2_i</annotation></semantics></math></p><img src="a.png"/>'
    const { text, notes } = await readOfficeFile(book(formulas + tex))
    expect(text.split('\n\n')).to.deep.equal([...MATHML.map(([, formula]) => `It is ${formula}.`), '$E = mc^2_i$'])
    expect(notes).to.deep.equal(['1 picture was left out.'])
  })
})
