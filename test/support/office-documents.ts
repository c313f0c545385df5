import { writeZip } from './zip-writer.js'

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const OOXML = 'http://schemas.openxmlformats.org'
const ODF = 'urn:oasis:names:tc:opendocument:xmlns'

/** A document of Office Open XML with these paragraphs (WordprocessingML), and what it links to by the ids l1, l2 … */
export function docx(paragraphs: string, links: readonly { readonly type: string; readonly target: string }[] = []): Uint8Array {
  const relations = links.map(
    ({ type, target }, at) =>
      `<Relationship Id="l${at + 1}" Type="${OOXML}/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`,
  )
  return writeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships"><Relationship Id="r1" Type="${OOXML}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships">${relations.join('')}</Relationships>`,
    'word/document.xml': `${XML}<w:document xmlns:w="${OOXML}/wordprocessingml/2006/main" xmlns:r="${OOXML}/officeDocument/2006/relationships" xmlns:wp="${OOXML}/drawingml/2006/wordprocessingDrawing" xmlns:a="${OOXML}/drawingml/2006/main" xmlns:pic="${OOXML}/drawingml/2006/picture"><w:body>${paragraphs}</w:body></w:document>`,
  })
}

/** A paragraph of WordprocessingML. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
}

const KINDS = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as const
const NAMES = ['office', 'text', 'table', 'style', 'script', 'presentation']
const SPACES = `${NAMES.map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`).join(' ')} xmlns:draw="${ODF}:drawing:1.0" xmlns:svg="${ODF}:svg-compatible:1.0" xmlns:fo="${ODF}:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:ooo="http://openoffice.org/2004/office" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"`

interface OdfParts {
  readonly body: string
  readonly scripts?: string
  readonly styles?: string
  readonly files?: Readonly<Record<string, string>>
  /** The manifest says that the content is encrypted. */
  readonly sealed?: boolean
}

/** An OpenDocument file with this body. */
export function odf(kind: keyof typeof KINDS, { body, scripts = '', styles = '', files = {}, sealed = false }: OdfParts): Uint8Array {
  const type = `application/vnd.oasis.opendocument.${KINDS[kind]}`
  const secret = `<manifest:encryption-data manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" manifest:checksum="AAAA"><manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="AAAAAAAAAAAAAAAAAAAAAA=="/><manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="1024" manifest:salt="AAAAAAAAAAAAAAAAAAAAAA=="/><manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/></manifest:encryption-data>`
  const content = `${XML}<office:document-content ${SPACES} office:version="1.2">${scripts}<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${KINDS[kind]}>${body}</office:${KINDS[kind]}></office:body></office:document-content>`
  const entries = ['content.xml', ...Object.keys(files)].map(
    (name) =>
      `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"${sealed ? ` manifest:size="99">${secret}</manifest:file-entry>` : '/>'}`,
  )
  return writeZip({
    mimetype: type,
    'content.xml': sealed ? 'not to be read' : content,
    ...files,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="${ODF}:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>${entries.join('')}</manifest:manifest>`,
  })
}

const MACRO = `Sub ran
  ThisComponent.Text.String = "The macro ran"
End Sub`
const MACRO_FILES = {
  'Basic/script-lc.xml': `${XML}<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>`,
  'Basic/Standard/script-lb.xml': `${XML}<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
  'Basic/Standard/Module1.xml': `${XML}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${MACRO.replaceAll('"', '&quot;')}</script:module>`,
}
const ON_LOAD = `<office:scripts><office:script script:language="ooo:Basic"/><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.ran?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>`

/** Slides without one are empty. */
const MASTER_PAGE = `${XML}<office:document-styles ${SPACES} office:version="1.2"><office:automatic-styles><style:page-layout style:name="p"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="p"/></office:master-styles></office:document-styles>`

/** Documents by file name; those that link out name addresses below `site` that begin with `canary`. */
export function officeDocuments(site: string): Readonly<Record<string, string | Uint8Array>> {
  const plain = docx(paragraph('Words of a document') + paragraph('and more of them. '.repeat(200)))
  const field = (text: string): string =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>none</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
  const picture = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="${OOXML}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="x"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="l1"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const numbered = [1, 2, 3, 4].map((n): [string, Uint8Array] => [`numbered-${n}.docx`, docx(paragraph(`This is number ${n}`))])
  return {
    ...Object.fromEntries(numbered),
    'plain.docx': plain,
    'plain.html': '<html><head><meta charset="utf-8"></head><body><p>Grüße aus dem Text</p></body></html>',
    'table.csv': 'Name,Zahl\nGröße,2\n',
    'slides.odp': odf('odp', {
      body: '<draw:page draw:name="one" draw:master-page-name="Default"><draw:frame draw:layer="layout" svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>A slide</text:p></draw:text-box></draw:frame></draw:page>',
      files: { 'styles.xml': MASTER_PAGE },
    }),
    'linked.docx': docx(
      paragraph('The document') +
        picture +
        field(`INCLUDEPICTURE "${site}/canary-picture.png" \\d`) +
        field('INCLUDETEXT "/etc/passwd"') +
        field(`INCLUDETEXT "${site}/canary-text.docx"`),
      [{ type: 'image', target: `${site}/canary-image.png` }],
    ),
    'linked.html': `<html><head><link rel="stylesheet" href="${site}/canary.css"></head><body><p>The document</p><img src="${site}/canary.png"><img src="file:///etc/passwd"><iframe src="${site}/canary-frame.html"></iframe><object data="${site}/canary-object"></object></body></html>`,
    'linked.odt': odf('odt', {
      body: `<text:p>The document</text:p><text:p><draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${site}/canary.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="file:///etc/passwd"/><text:p>old</text:p></text:section><text:section text:name="t"><text:section-source xlink:href="${site}/canary-section.odt"/><text:p>old</text:p></text:section>`,
    }),
    'linked.rtf': `{\\rtf1\\ansi The document\\par {\\field{\\*\\fldinst INCLUDEPICTURE "${site}/canary.png" \\\\d}{\\fldrslt x}}{\\field{\\*\\fldinst INCLUDETEXT "/etc/passwd"}{\\fldrslt y}}}`,
    'service.ods': odf('ods', {
      body: `<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>The document</text:p></table:table-cell><table:table-cell table:formula="of:=WEBSERVICE(&quot;${site}/canary-service&quot;)" office:value-type="string"/><table:table-cell table:formula="of:='file:///etc/passwd'#$Sheet1.A1" office:value-type="string"/></table:table-row></table:table>`,
    }),
    'macro.odt': odf('odt', { body: '<text:p>As it was written</text:p>', scripts: ON_LOAD, files: MACRO_FILES }),
    'cut.docx': plain.subarray(0, Math.floor(plain.length * 0.6)),
    'empty.csv': '',
    'text.docx': 'PK is not how a document begins',
    'text.rtf': 'no rtf',
    'sealed.docx': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]),
    'sealed.odt': odf('odt', { body: '', sealed: true }),
  }
}
