import { expect } from 'chai'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { createWorkers } from '../../../core/exec/workers.js'
import { headOf, kindOf, kindOfFile, type FileHead } from '../../../core/files/kind.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import sniff, { textOf } from '../../../core/files/work/sniff.js'
import { scratchOf } from '../../../core/dispatch/scratch.js'
import { Fault } from '../../../core/sdk/index.js'
import { writeZip } from '../../support/zip-writer.js'

const kind = async (bytes: string | Uint8Array, name = '', whole = true): Promise<string | null> => {
  const found = await sniff({ head: Buffer.from(bytes), whole, name })
  return found === null ? null : `${found.contentType} ${found.extension}`
}
const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const utf16 = (stream: string): Buffer =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.from(stream, 'utf16le'), Buffer.alloc(600)])

describe('what the bytes of a file are', () => {
  const cases: readonly (readonly [string, string | Uint8Array, string, string | null])[] = [
    ['a PDF of text alone', '%PDF-1.7\n1 0 obj\n', '', 'application/pdf pdf'],
    ['a picture named otherwise', PNG, 'notes.txt', 'image/png png'],
    ['RTF', '{\\rtf1 hello}', '', 'application/rtf rtf'],
    ['plain text', 'Hello, world.\n', '', 'text/plain txt'],
    ['text that begins as a bitmap does', 'BMW builds cars.\n', '', 'text/plain txt'],
    ['text that begins as a program does', 'MZ was his initials.\n', '', 'text/plain txt'],
    ['text with a mark', '\ufeffHello', '', 'text/plain txt'],
    ['UTF-16', Buffer.from('\ufeffGrüße', 'utf16le'), '', 'text/plain txt'],
    ['text with a control character', 'a\x01b', '', null],
    ['text with a zero', 'a\0b', 'a.txt', null],
    ['Latin-1', Buffer.from('Grüße', 'latin1'), 'a.csv', null],
    ['bytes of nothing known', Buffer.from([1, 2, 3, 4, 200, 201]), 'a.pdf', null],
    ['a page', '\n<!-- c --><!DOCTYPE html><p>hi', '', 'text/html html'],
    ['a page without a doctype', '<html lang=en>', '', 'text/html html'],
    ['a piece of a page by its name', '<p>hi</p>', 'a.htm', 'text/html html'],
    ['a piece of a page without a name', '<p>hi</p>', '', 'text/plain txt'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', '', 'application/xhtml+xml xhtml'],
    ['XML', '<?xml version="1.0"?><order/>', '', 'application/xml xml'],
    ['XML by its name', '<order/>', 'a.xml', 'application/xml xml'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', '', 'image/svg+xml svg'],
    ['SVG behind a declaration and a doctype', '<?xml version="1.0"?>\n<!DOCTYPE svg><svg:svg />', '', 'image/svg+xml svg'],
    ['JSON', ' {"a": [1]}', '', 'application/json json'],
    ['broken JSON', '{"a": [1', 'a.json', 'text/plain txt'],
    ['CSV by its name', 'a,b', 'list.CSV', 'text/csv csv'],
    ['CSV by its lines', 'a,b\n"x, y",2\n3,4\n', '', 'text/csv csv'],
    ['CSV with semicolons', 'a;b\n1;2\n3;4', '', 'text/csv csv'],
    ['tab-separated values', 'a\tb\n1\t2\n3\t4', '', 'text/tab-separated-values tsv'],
    ['sentences with commas', 'Hello, you\nand me, too\nand so, on\n', '', 'text/plain txt'],
    ['Markdown by its name', 'hello', 'a.md', 'text/markdown md'],
    ['Markdown by its marks', '# Title\n\nSee [this](https://example.com).\n', '', 'text/markdown md'],
    ['a script that looks like it', '# install\n\n[x](y)\n', 'a.sh', 'text/plain txt'],
    [
      'docx',
      writeZip({ '[Content_Types].xml': `<Types><Override ContentType="${OFFICE}wordprocessingml.document.main+xml"/></Types>` }),
      '',
      `${OFFICE}wordprocessingml.document docx`,
    ],
    [
      'docx whose contents come last',
      writeZip({ '_rels/.rels': 'x', 'word/document.xml': 'x' }),
      '',
      `${OFFICE}wordprocessingml.document docx`,
    ],
    ['xlsx whose contents come last', writeZip({ '_rels/.rels': 'x', 'xl/workbook.xml': 'x' }), '', `${OFFICE}spreadsheetml.sheet xlsx`],
    [
      'pptx whose contents come last',
      writeZip({ 'docProps/app.xml': 'x', 'ppt/presentation.xml': 'x' }),
      '',
      `${OFFICE}presentationml.presentation pptx`,
    ],
    ['an archive with a folder word', writeZip({ 'a.txt': 'x', 'word/document.xml': 'x' }), 'a.docx', 'application/zip zip'],
    ['odt', writeZip({ mimetype: 'application/vnd.oasis.opendocument.text' }), '', 'application/vnd.oasis.opendocument.text odt'],
    ['epub', writeZip({ mimetype: 'application/epub+zip' }), '', 'application/epub+zip epub'],
    ['doc', utf16('WordDocument'), '', 'application/msword doc'],
    ['xls', utf16('Workbook'), '', 'application/vnd.ms-excel xls'],
    ['ppt', utf16('PowerPoint Document'), '', 'application/vnd.ms-powerpoint ppt'],
    ['another file of that container', utf16('Something'), 'a.doc', 'application/x-cfb cfb'],
    ['nothing', '', 'a.txt', null],
  ]
  for (const [what, bytes, name, wanted] of cases)
    it(`${what}: ${wanted ?? 'unknown'}`, async () => {
      expect(await kind(bytes, name)).to.equal(wanted)
    })

  it('a text cut within a character is text, a whole one is not', async () => {
    const cut = Buffer.from('é'.repeat(100)).subarray(0, 199)
    expect(await kind(cut, '', false)).to.equal('text/plain txt')
    expect(await kind(cut, '', true)).to.equal(null)
  })

  it('truncated JSON and tables are recognised by their beginning', async () => {
    expect(await kind('{"a": [1, 2', '', false)).to.equal('application/json json')
    expect(await kind('{not json', '', false)).to.equal('text/plain txt')
    expect(await kind('a,b\n1,2\n3,4\n5', '', false)).to.equal('text/csv csv')
  })

  it('any bytes have a kind or none, and whatever is said to be text can be decoded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 12 }), async (bytes, name) => {
        const found = await sniff({ head: bytes, whole: true, name })
        if (found === null) return
        expect(found.contentType).to.match(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/)
        expect(found.extension).to.match(/^[a-z0-9]+$/)
        if (found.contentType.startsWith('text/')) expect(textOf(bytes, true)).to.be.a('string')
      }),
      { examples: [[Uint8Array.from([0x1f, 0xa0]), '']] },
    )
  })

  it('beginnings of every signature, with noise behind them, never fail', async () => {
    for (const start of [
      'PK\x03\x04',
      '\x1f\x8b\x08',
      'RIFF',
      'ftyp',
      'ID3',
      '\x00\x00\x00\x20ftyp',
      'II*\x00',
      'MM\x00*',
      '\x89PNG\r\n\x1a\n',
      'OggS',
      '\x1aE\xdf\xa3',
      'BZh9',
    ])
      for (let round = 0; round < 20; round++)
        await sniff({ head: Buffer.concat([Buffer.from(start, 'latin1'), randomBytes(2_000)]), whole: false, name: '' })
  })
})

describe('the kind of a file of a call', () => {
  const workers = createWorkers({ clock: systemClock, size: 1 })
  const cancel = new Cancel(systemClock, Infinity)
  const run = (module: URL, input: unknown, options: { timeoutMs: number; heapMb: number }) => workers.run(module, input, options, cancel)
  const folder = new ScratchFolder(10_000_000)
  const none = () => Promise.reject(new Error('not requested'))
  const scratch = scratchOf({ folder: () => folder, stream: none, stored: none, work: run, put: none })
  after(async () => {
    await folder.close()
    await workers.close()
  })

  it('is found in a worker thread from its first bytes alone', async () => {
    const file = await scratch.write(Buffer.concat([PNG, Buffer.alloc(1_000_000)]))
    expect(await scratch.kind(file)).to.deep.equal({ contentType: 'image/png', extension: 'png' })
    const table = await scratch.write(Buffer.from('a,b'))
    expect(await scratch.kind(table, 'a.csv')).to.deep.equal({ contentType: 'text/csv', extension: 'csv' })
    expect(await scratch.kind(await scratch.write(Buffer.from([0, 1, 2])))).to.equal(null)
  })

  it('of which no more is read than the first 64 KiB', async () => {
    let pieces = 0
    const endless = (async function* () {
      for (;;) {
        pieces++
        yield Buffer.alloc(16_384, 'a')
      }
    })()
    expect(await kindOfFile(run, endless, '')).to.deep.equal({ contentType: 'text/plain', extension: 'txt' })
    expect(pieces).to.equal(5)
  })

  it('is unknown when its bytes take too long or too much memory, and a gateway without a free thread says so', async () => {
    const head: FileHead = { head: Buffer.from('abc'), whole: true, name: '' }
    expect(await kindOf(() => Promise.reject(new Fault('blocked', 'the content took too long to read')), head)).to.equal(null)
    expect(await kindOf(() => Promise.resolve({ contentType: 1 }), head)).to.equal(null)
    const busy = new Fault('busy', 'no place')
    expect(await kindOf(() => Promise.reject(busy), head).catch((error: unknown) => error)).to.equal(busy)
  })

  it('is found while the rest of the file follows, and no byte is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }), async (sizes) => {
        const chunks = sizes.map((size) => randomBytes(size))
        const { head, whole, bytes } = await headOf(
          (async function* () {
            yield* chunks
          })(),
        )
        const all = Buffer.concat(chunks)
        expect(whole).to.equal(all.length <= 65_536)
        expect(Buffer.compare(head, all.subarray(0, 65_536))).to.equal(0)
        const read: Uint8Array[] = []
        for await (const chunk of bytes) read.push(chunk)
        expect(Buffer.compare(Buffer.concat(read), all)).to.equal(0)
      }),
    )
  })
})
