import { spawnSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { docx, odf, officeDocuments, paragraph } from '../../test/support/office-documents.js'
import { writeZip } from '../../test/support/zip-writer.js'

/** A word of every seed of text, which every conversion of text must keep. */
export const WORD = 'Sequoia'

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const CUES = { first: WORD, second: 'and more' }

/** A file of OpenOffice.org 1: the body in the old namespaces. */
function old(kind: string, root: string, body: string): Uint8Array {
  const spaces = ['office', 'text', 'table', 'style', 'drawing'].map(
    (name) => `xmlns:${name === 'drawing' ? 'draw' : name}="http://openoffice.org/2000/${name}"`,
  )
  return writeZip({
    'content.xml': `${XML}<office:document-content ${spaces.join(' ')} xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" office:class="${root}" office:version="1.0"><office:body>${body}</office:body></office:document-content>`,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="application/vnd.sun.xml.${kind}" manifest:full-path="/"/><manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/></manifest:manifest>`,
  })
}

function olds(): Record<string, Uint8Array> {
  const text = `<text:p>${WORD}</text:p>`
  const sheet = `<table:table table:name="One"><table:table-row><table:table-cell table:value-type="string">${text}</table:table-cell></table:table-row></table:table>`
  const page = `<draw:page draw:name="one"><draw:text-box svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm">${text}</draw:text-box></draw:page>`
  return {
    sxw: old('writer', 'text', text),
    stw: old('writer.template', 'text', text),
    sxc: old('calc', 'spreadsheet', sheet),
    stc: old('calc.template', 'spreadsheet', sheet),
    sxi: old('impress', 'presentation', page),
    sxd: old('draw', 'drawing', page),
  }
}

function lotus(): Buffer {
  const record = (kind: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(kind, 0)
    head.writeUInt16LE(data.length, 2)
    return Buffer.concat([head, data])
  }
  const label = Buffer.concat([Buffer.from([0xff, 0, 0, 0, 0]), Buffer.from(`'${WORD}\0`, 'latin1')])
  return Buffer.concat([record(0, Buffer.from([0x06, 0x04])), record(0x0f, label), record(1, Buffer.alloc(0))])
}

const GNUMERIC = `${XML}<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>One</gnm:Name><gnm:MaxCol>0</gnm:MaxCol><gnm:MaxRow>0</gnm:MaxRow><gnm:Cells><gnm:Cell Col="0" Row="0" ValueType="60">${WORD}</gnm:Cell></gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`
const ABIWORD = `${XML}<abiword xmlns="http://www.abisource.com/awml.dtd" fileformat="1.1"><section><p>${WORD}</p></section></abiword>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="#cde"/><circle cx="60" cy="40" r="30" fill="#c33"/><text x="10" y="20">${WORD}</text></svg>`
const DXF = [
  '0',
  'SECTION',
  '2',
  'ENTITIES',
  '0',
  'LINE',
  '8',
  '0',
  '10',
  '0',
  '20',
  '0',
  '11',
  '100',
  '21',
  '50',
  '0',
  'ENDSEC',
  '0',
  'EOF',
  '',
].join('\n')
const VISIO = `${XML}<VisioDocument xmlns="http://schemas.microsoft.com/visio/2003/core"><Pages><Page ID="0" NameU="Page-1"><PageSheet><PageProps><PageWidth>8</PageWidth><PageHeight>6</PageHeight></PageProps></PageSheet><Shapes><Shape ID="1" Type="Shape"><XForm><PinX>3</PinX><PinY>3</PinY><Width>2</Width><Height>1</Height><LocPinX>1</LocPinX><LocPinY>0.5</LocPinY></XForm><Geom IX="0"><MoveTo IX="1"><X>0</X><Y>0</Y></MoveTo><LineTo IX="2"><X>2</X><Y>1</Y></LineTo></Geom></Shape></Shapes></Page></Pages></VisioDocument>`

const SUBTITLES: Readonly<Record<string, string>> = {
  srt: `1\n00:00:00,000 --> 00:00:01,000\n${CUES.first}\n\n2\n00:00:01,000 --> 00:00:02,000\n${CUES.second}\n`,
  sub: `{0}{25}${CUES.first}\n{25}{50}${CUES.second}\n`,
  smi: `<SAMI><BODY><SYNC Start=0><P Class=ENCC>${CUES.first}\n<SYNC Start=1000><P Class=ENCC>${CUES.second}\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n</BODY></SAMI>\n`,
  mpl: `[0][10]${CUES.first}\n[10][20]${CUES.second}\n`,
  jss: `0:00:00.00 0:00:01.00 D ${CUES.first}\n0:00:01.00 0:00:02.00 D ${CUES.second}\n`,
  rt: `<window type="generic" duration="2">\n<time begin="0:00:00.0" end="0:00:01.0"/>${CUES.first}\n<time begin="0:00:01.0" end="0:00:02.0"/>${CUES.second}\n</window>\n`,
  stl: `$FontName = Arial\n00:00:00:00 , 00:00:01:00 , ${CUES.first}\n00:00:01:00 , 00:00:02:00 , ${CUES.second}\n`,
  sbv: `[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:00.00,00:00:01.00\n${CUES.first}\n\n00:00:01.00,00:00:02.00\n${CUES.second}\n`,
}

/** A second of picture and sound, made by FFmpeg out of nothing. */
function film(): Buffer {
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=128x96:rate=10',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=44100',
    '-f',
    'srt',
    '-i',
    'pipe:0',
  ]
  const made = spawnSync(
    'ffmpeg',
    ['-v', 'error', ...sources, '-t', '1', '-ac', '2', '-c:v', 'libx264', '-c:a', 'aac', '-f', 'matroska', 'pipe:1'],
    { maxBuffer: 2 ** 26, input: SUBTITLES['srt'] },
  )
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.stderr.toString()}`)
  return made.stdout
}

/** Files from which every other format is made, or that no program here writes. */
export function seeds(): Map<string, Uint8Array> {
  const amr = Buffer.concat([
    Buffer.from('#!AMR\n'),
    ...Array.from({ length: 50 }, () => Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31)])),
  ])
  const slides = officeDocuments('http://127.0.0.1')['slides.odp']
  const files: Record<string, string | Uint8Array> = {
    docx: docx(paragraph(`${WORD} and words of a document`)),
    csv: `Name,Zahl\n${WORD},2\n`,
    odp: Buffer.from(slides ?? ''),
    svg: SVG,
    mkv: film(),
    ...SUBTITLES,
    ...olds(),
    wk1: lotus(),
    gnumeric: gzipSync(GNUMERIC),
    abw: ABIWORD,
    zabw: gzipSync(ABIWORD),
    602: `@CT 0\n@LM 1\n@RM 65\n@PL 60\n${WORD}\n`,
    dxf: DXF,
    vdx: VISIO,
    amr,
    ods: odf('ods', {
      body: `<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>${WORD}</text:p></table:table-cell></table:table-row></table:table>`,
    }),
  }
  return new Map(Object.entries(files).map(([id, data]) => [id, typeof data === 'string' ? Buffer.from(data) : data]))
}

/** Formats that are another one, compressed. */
export const COMPRESSED: readonly (readonly [from: string, to: string])[] = [
  ['svg', 'svgz'],
  ['emf', 'emz'],
  ['wmf', 'wmz'],
]
