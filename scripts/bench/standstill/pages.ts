import { writeZip } from '../../../test/support/zip-writer.js'
import { filled, listed, MIB, type Shape } from './shape.js'

/** The largest page that is read, in bytes, and the largest document that is fetched. */
const PAGE = 5_000_000
const DOCUMENT = 20 * MIB
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const SENTENCE = 'Each paragraph says a little about nothing in particular, with a <a href="/a">link</a>. '

function page(name: string, contentType: string, bytes: () => string | Uint8Array): Shape {
  return {
    name,
    // Read, refused by its content, or over a limit: what counts here is that nobody else waits for it.
    status: [200, 422],
    path: '/v1/scrape',
    body: () => JSON.stringify({ url: '{page}', mode: 'fast' }),
    serves: () => ({ contentType, bytes: Buffer.from(bytes()) }),
  }
}

const html = (unit: string, around: readonly [string, string] = ['', '']): string =>
  filled(PAGE, unit, [`<!doctype html><html><head><title>x</title></head><body>${around[0]}`, `${around[1]}</body></html>`])
const raw = (unit: string | readonly number[], size = PAGE): Uint8Array => Buffer.alloc(size, Buffer.from(unit))

/** A PDF document of so many pages with the same text. */
function pdf(pages: number, text: string): Uint8Array {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ')
  const stream = `BT /F1 12 Tf 10 700 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from(
      { length: pages },
      () => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pages + 4} 0 R >>`,
    ),
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ]
  let body = '%PDF-1.4\n'
  const places: number[] = []
  for (const [index, object] of objects.entries()) {
    places.push(body.length)
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer << /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

function word(paragraph: (index: number) => string, count: number): Uint8Array {
  const paragraphs = Array.from({ length: count }, (_, index) => `<w:p><w:r><w:t>${paragraph(index)}</w:t></w:r></w:p>`).join('')
  return writeZip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
  })
}

/** Pages and documents, each up to the limit of its kind. */
export const pages: readonly Shape[] = [
  page('HTML: paragraphs', 'text/html', () => html(`<p>${SENTENCE.repeat(3)}</p>`)),
  page('HTML: 250 levels and 60,000 paragraphs', 'text/html', () =>
    html('<p>a little text</p>', ['<div>t'.repeat(250), '</div>'.repeat(250)]),
  ),
  page(
    'HTML: 16,000 paragraphs with links',
    'text/html',
    () =>
      `<html><body>${Array.from({ length: 16_000 }, (_, index) => `<p class="a" id="x${index}">${index} <a href="/${index}">a link</a> has <b>some</b> words, and so on.</p>`).join('')}</body></html>`,
  ),
  page('HTML: 48,000 elements', 'text/html', () => `<html><body><article>${'<div>text </div>'.repeat(48_000)}</article></body></html>`),
  page('HTML: open elements', 'text/html', () => html('<b>')),
  page('HTML: tables', 'text/html', () => html('<tr><td>1</td><td>2</td></tr>', ['<table>', '</table>'])),
  page(
    'HTML: links',
    'text/html',
    () => `<html><body>${listed(100_000, (index) => `<a href="/${index}">link ${index}</a>`)}</body></html>`,
  ),
  page('HTML: one text', 'text/html', () => html('words and ', ['<p>', '</p>'])),
  page('HTML: line breaks in a <pre>', 'text/html', () => html('\n', ['<p>words</p><pre>a', 'b</pre>'])),
  page('HTML: one cell of words', 'text/html', () => html('a b ', ['<table><tr><td>', '</td></tr></table>'])),
  page('HTML: one <kbd> of words', 'text/html', () => html('a b ', ['<p><kbd>', '</kbd></p>'])),
  page('HTML: one <kbd> of backticks', 'text/html', () => html('`a', ['<p>words <kbd>', '</kbd></p>'])),
  page('HTML: commas', 'text/html', () => html(',', ['<p>', '</p>'])),
  page('HTML: stars', 'text/html', () => html('*', ['<p>', '</p>'])),
  page('HTML: attributes', 'text/html', () => html('a="b" ', ['<p ', '>x</p>'])),
  page('HTML: entities', 'text/html', () => html('&amp;&lt;', ['<p>', '</p>'])),
  page('HTML: windows-1252', 'text/html; charset=windows-1252', () => raw([0x81])),
  page('HTML: iso-2022-jp', 'text/html; charset=iso-2022-jp', () => raw('\x1b$B!!\x1b(B')),
  page('HTML: gb18030', 'text/html; charset=gb18030', () => raw([0x81, 0x30, 0x81, 0x30])),
  page('HTML: utf-16', 'text/html; charset=utf-16le', () => Buffer.from(`<p>${'漢字 '.repeat(800_000)}`, 'utf16le')),
  page('HTML of 20 MiB', 'text/html', () => raw('<p>x', DOCUMENT)),
  page('text: addresses that end in dots', 'text/plain', () => filled(PAGE, `http://a${'.'.repeat(1980)}x\n`)),
  page('text: windows-1252', 'text/plain; charset=windows-1252', () => raw([0x81])),
  page('text: not UTF-8', 'text/plain; charset=utf-8', () => raw([0xff])),
  page('text of 漢', 'text/plain; charset=utf-8', () => raw('漢')),
  page('Markdown: brackets', 'text/markdown', () => filled(PAGE, '[a](')),
  page('XML: elements', 'application/xml', () => filled(PAGE, '<a>', ['<?xml version="1.0"?>', ''])),
  page('JSON: brackets', 'application/json', () => raw('[],')),
  page('unknown bytes, 20 MiB', 'application/octet-stream', () => raw([0], DOCUMENT)),
  page('PDF: 200 pages, 1 MB of text', 'application/pdf', () => pdf(200, 'words and '.repeat(500))),
  page('PDF: garbage, 2 MiB', 'application/pdf', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), raw('1 0 obj\n', 2 * MIB)])),
  page('Word: 10,000 paragraphs', WORD, () =>
    word((index) => `Paragraph ${index} says ${(index * 7919) % 1_000_003} and no more.`, 10_000),
  ),
  page('Word: one text of 4 MB', WORD, () =>
    word(() => Array.from({ length: 600_000 }, (_, index) => (index * 7919) % 1_000_003).join(' '), 1),
  ),
  page('zip, 20 MiB', 'application/zip', () => Buffer.concat([Buffer.from('PK\u0003\u0004'), raw('word/documentxml', DOCUMENT - 4)])),
]

/** A file that a program is given by address. */
export const files: readonly Shape[] = [
  {
    name: 'an input file by address, 10 MiB',
    status: [200, 503],
    path: '/v1/code/execute',
    body: () => JSON.stringify({ code: 'true', language: 'shell', input_files: [{ name: 'a', url: '{page}' }] }),
    serves: () => ({ contentType: 'application/octet-stream', bytes: raw('a', 10 * MIB) }),
  },
  {
    name: 'a program that prints 2 MiB',
    status: [200, 503],
    path: '/v1/code/execute',
    body: () =>
      JSON.stringify({ code: 'console.log("\\u0001漢".repeat(700000)); console.error("x".repeat(2000000))', language: 'javascript' }),
  },
  {
    name: 'a program that leaves files, 20 MiB',
    status: [200, 503],
    path: '/v1/code/execute',
    body: () =>
      JSON.stringify({
        code: 'for i in $(seq 1 20); do head -c 1000000 /dev/urandom > f$i; head -c 262000 /dev/urandom > g$i; done',
        language: 'shell',
      }),
  },
]
