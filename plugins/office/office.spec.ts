import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noCallFiles } from '../../test/support/call-files.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { index } from '../../test/support/loader-texts.js'
import { PluginFolder } from '../../test/support/loader.js'
import { officeDocuments } from '../../test/support/office-documents.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { pairOf, pairs, type Pair } from './formats/table.js'
import { fittingWidth } from './fit-width.js'
import { hasMacros, keepsMacros, withoutMacros } from './macros.js'
import { assertPages } from './pages.js'
import { assertRows, assertTableSize } from './rows.js'
import { assertKind, encrypted, importFilter } from './source.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat } from '${SDK}'
export const turn = capability({
  id: 'turn', path: '/v1/turn', title: 'Turn', description: 'Converts a file.', price: flat(1),
  input: Type.Object({ url: Type.String({ description: 'Address.' }), from: Type.String({ description: 'Kind.' }), to: Type.String({ description: 'Form.' }) }),
  output: Type.Object({ url: Type.String() }),
  examples: [{ title: 'One', params: { url: 'http://example.com/x', from: 'docx', to: 'pdf' } }],
  work: 'media', timeoutMs: () => 200_000,
})
`
const handler = `import { handle, port, scratchFile, Type } from '${SDK}'
import { turn } from './contract.mjs'
const convert = port({ id: 'office.convert', input: Type.Object({ file: scratchFile, from: Type.String(), to: Type.String() }), output: Type.Unknown() })
export const run = handle(turn, async ({ url, from, to }, ctx) => {
  const made = await ctx.call(convert, { file: await ctx.scratch.fetch(url), from, to })
  const { url: stored } = await ctx.scratch.store(made.file, { name: 'made.' + to })
  return { url: stored }
})
`

describe('office', function () {
  this.timeout(400_000)
  const usual = tmpdir()
  let folder: string
  let site: Running
  let hits: string[] = []
  let plugins: PluginFolder
  let gateway: TestGateway
  let temporary: TemporaryFolder
  const host = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
    return stdout
  }
  const turn = async (name: string, to: string, from = name.split('.').at(-1) ?? '') =>
    await gateway.post('/v1/turn', { url: `${site.url}/${name}`, from, to })
  /** Creates the file in the folder. */
  const made = async (name: string, to: string, from?: string): Promise<string> => {
    const reply = await turn(name, to, from)
    expect(reply.status, `${name} ${to}: ${reply.text}`).to.equal(200)
    const file = await fetch(reply.json<{ data: { url: string } }>().data.url)
    await writeFile(join(folder, `made.${to}`), Buffer.from(await file.arrayBuffer()))
    return `made.${to}`
  }
  const words = async (name: string, from?: string): Promise<string> => host('pdftotext', ['-layout', await made(name, 'pdf', from), '-'])

  before(async function () {
    needs(this, 'soffice', 'bwrap', 'pdftotext')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    folder = await mkdtemp(join(tmpdir(), 'capstan-office-'))
    process.env['TMPDIR'] = temporary.path
    site = await httpServer((request, response) => {
      const name = (request.url ?? '').slice(1)
      if (name.startsWith('canary')) hits.push(name)
      response.end(name.startsWith('canary') ? '' : readFileSync(join(folder, name)))
    })
    for (const [name, data] of Object.entries(officeDocuments(site.url))) await writeFile(join(folder, name), data)
    plugins = await PluginFolder.make()
    await plugins.write('turn', { 'index.mjs': index('turn', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: plugins.path, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    await plugins?.remove()
    process.env['TMPDIR'] = usual
    temporary?.remove()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const chains: [string, readonly string[], string][] = [
    ['plain.html', ['odt', 'docx', 'doc', 'rtf', 'pdf'], 'Grüße aus dem Text'],
    ['table.csv', ['ods', 'xlsx', 'xls', 'pdf'], 'Größe'],
    ['slides.odp', ['pptx', 'ppt', 'odp', 'pdf'], 'A slide'],
  ]
  for (const [source, targets, text] of chains)
    it(`makes each form of ${source} out of the one before, and its words stay: ${targets.join(', ')}`, async () => {
      let current = source
      for (const to of targets) current = await made(current, to)
      expect(host('pdftotext', [current, '-'])).to.contain(text)
      expect(readFileSync(join(folder, current)).toString('latin1', 0, 5)).to.equal('%PDF-')
    })

  it('makes text and csv in UTF-8', async () => {
    expect(readFileSync(join(folder, await made('plain.docx', 'txt')), 'utf8')).to.contain('Words of a document')
    expect(readFileSync(join(folder, await made('table.csv', 'csv')), 'utf8')).to.contain('Größe,2')
  })

  it('all columns of a sheet are on a page of its PDF', async () => {
    const row = (text: string): string => Array.from({ length: 30 }, (_, at) => `${text} ${at}`).join(';')
    await writeFile(join(folder, 'wide.csv'), [row('Column'), ...Array.from({ length: 20 }, () => row('value'))].join('\n'))
    const pages = host('pdfinfo', [await made('wide.csv', 'pdf')])
    expect(pages).to.match(/^Pages:\s+1$/m)
  })

  it('of four documents at once each is its own', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(async (n) => await turn(`numbered-${n}.docx`, 'txt')))
    for (const reply of replies) expect(reply.status, reply.text).to.equal(200)
    const texts = replies.map(async (reply) => await (await fetch(reply.json<{ data: { url: string } }>().data.url)).text())
    expect((await Promise.all(texts)).map((text) => /number (\d)/.exec(text)?.[1])).to.deep.equal(['1', '2', '3', '4'])
  })

  for (const name of ['linked.docx', 'linked.html', 'linked.odt', 'linked.rtf', 'service.ods'])
    it(`T-22 T-51 fetches nothing that a document names: ${name}`, async () => {
      hits = []
      const text = await words(name)
      expect(text).to.contain('The doc')
      expect(text).to.not.match(/root:|nobody:/)
      expect(hits).to.deep.equal([])
    })

  it('T-51 runs no macro when a document is opened', async () => {
    const text = await words('macro.odt')
    expect(text).to.contain('As it was written').and.not.contain('macro ran')
  })

  for (const [name, from] of [
    ['cut.docx', 'docx'],
    ['plain.docx', 'xlsx'],
    ['plain.docx', 'odt'],
    ['plain.docx', 'ppt'],
    ['empty.csv', 'csv'],
    ['text.docx', 'docx'],
    ['sealed.docx', 'docx'],
    ['sealed.odt', 'odt'],
    ['text.rtf', 'rtf'],
  ] as const)
    it(`that is damaged, protected or something else is 422 and free: ${name} as ${from}`, async () => {
      const reply = await turn(name, 'pdf', from)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.headers['x-credits-used']).to.equal('0')
      expect(reply.text).to.match(name.startsWith('sealed') ? /password/ : /is no|damaged|empty/)
    })

  it('a pair that does not go together is 422', async () => {
    const reply = await turn('slides.odp', 'csv')
    expect(reply.status, reply.text).to.equal(422)
    expect(reply.text).to.contain('cannot be made into csv')
  })

  it('leaves no file behind', async () => {
    await noCallFiles(temporary.path)
  })
})

describe('office: formats', () => {
  it('every source has a form as PDF or is one', () => {
    for (const { from, to } of pairs()) if (!from.includes('pdf')) expect(to, from.join()).to.include('pdf')
  })

  it('text is read in the encoding that it has, and a table by the separator that its lines have', () => {
    const filter = (from: string, bytes: string | Buffer): string => importFilter(pairOf(from, 'pdf'), Buffer.from(bytes))
    for (const table of ['a;b\n', Buffer.from('Gr\xf6\xdfe,2\n', 'latin1')])
      expect(filter('csv', table)).to.equal('Text - txt - csv (StarCalc):44,34,76,1,,1033,true,false')
    expect(filter('txt', 'Größe')).to.equal('Text (encoded):UTF8')
    expect(filter('txt', Buffer.from('Gr\xf6\xdfe', 'latin1'))).to.equal('Text (encoded):MS_1252')
    expect(filter('txt', Buffer.from('\ufeffa', 'utf16le'))).to.equal('Text (encoded):UTF16')
    expect(filter('docx', 'PK')).to.equal('MS Word 2007 XML')
  })

  it('a page style without a scale gets one, however the sheet comes in pieces, and the sheets stay as they are', async () => {
    const own = '<style:page-layout-properties style:scale-to="70%"/>'
    const styles = `<style:page-layout-properties style:writing-mode="lr-tb"/>${own}`
    const body = '<office:body><style:page-layout-properties /></office:body>'
    for (const size of [1, 7, 1000]) {
      const stream = async function* (): AsyncGenerator<Uint8Array> {
        const bytes = Buffer.from(styles + body)
        for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
      }
      const parts: Uint8Array[] = []
      for await (const part of fittingWidth(stream(), { bare: false })) parts.push(part)
      const text = Buffer.concat(parts).toString()
      expect(text).to.contain('style:scale-to-X="1" style:scale-to-Y="0" style:writing-mode').and.contain(own)
      expect(text.match(/scale-to-X/g)).to.have.lengthOf(1)
    }
  })

  /** The message of an assertion for a text read in pieces of so many bytes. */
  const why = async (assert: typeof assertRows, pair: Pair, text: string, size: number): Promise<string> => {
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
    }
    return await assert(pair, stream()).then(
      () => 'taken',
      (error: unknown) => String(error),
    )
  }

  it('a table with too many lines and a PDF with too many pages are refused, however they come in pieces', async () => {
    const pages = (count: number): string =>
      `%PDF-1.4\n${'1 0 obj<</Type /Page /Parent 2 0 R>>endobj\n'.repeat(count)}<</Type/Pages>>${' '.repeat(99)}`
    for (const size of [7, 100_000]) {
      expect(await why(assertPages, pairOf('pdf', 'docx'), pages(1_000), size)).to.equal('taken')
      expect(await why(assertPages, pairOf('pdf', 'docx'), pages(1_001), size)).to.contain('more than 1000 pages')
    }
    expect(await why(assertRows, pairOf('csv', 'pdf'), 'a\n'.repeat(100_000), 65_536)).to.equal('taken')
    expect(await why(assertRows, pairOf('csv', 'pdf'), 'a\n'.repeat(100_001), 65_536)).to.contain('more than 100000 lines')
    expect(await why(assertRows, pairOf('csv', 'xlsx'), 'a\n'.repeat(100_001), 65_536)).to.equal('taken')
  })

  it('A8 a table of text is refused for a line that is too long, and for the cells of its widest line in all lines', async () => {
    expect(await why(assertRows, pairOf('csv', 'xlsx'), '"'.repeat(4_000_000), 65_536)).to.contain('a line of more than 1048576 bytes')
    const wide = `${'x,'.repeat(16_000)}x\n`
    expect(await why(assertRows, pairOf('csv', 'html'), wide + 'a\n'.repeat(100), 7)).to.equal('taken')
    expect(await why(assertRows, pairOf('csv', 'html'), 'a;b\n'.repeat(400) + wide, 1_000)).to.contain('has too many cells')
    expect(await why(assertRows, pairOf('csv', 'xlsx'), 'a;b\n'.repeat(400) + wide, 1_000)).to.equal('taken')
    expect(await why(assertRows, pairOf('tsv', 'pdf'), 'a\tb\n'.repeat(99_000), 1_000)).to.equal('taken')
  })

  it('a table of text of more than 128 MiB is refused, and its size and the limit are said', () => {
    const most = 128 * 1024 * 1024
    expect(() => assertTableSize('csv', most)).to.not.throw()
    expect(() => assertTableSize('csv', most + 1)).to.throw('The csv file has 128.1 MiB; at most 128 MiB are read of a table.')
    expect(() => assertTableSize('tsv', 1_500_000_000)).to.throw('The tsv file has 1430.6 MiB; at most 128 MiB are read of a table.')
  })

  it('a PDF says that it is encrypted, and a document that it has macros, however they come in pieces', async () => {
    const detected = async (
      of: (stream: AsyncIterable<Uint8Array>) => Promise<boolean>,
      text: string,
      encoding: BufferEncoding = 'latin1',
    ): Promise<boolean> => {
      const stream = async function* (): AsyncGenerator<Uint8Array> {
        for (const byte of Buffer.from(text, encoding)) yield await Promise.resolve(Buffer.from([byte]))
      }
      return await of(stream())
    }
    expect(await detected(encrypted, '%PDF-1.4 trailer<</Encrypt 5 0 R>>')).to.equal(true)
    expect(await detected(encrypted, '%PDF-1.4 trailer<<>>')).to.equal(false)
    const macros = (from: string) => (stream: AsyncIterable<Uint8Array>) => hasMacros(pairOf(from, 'pdf'), stream)
    expect(await detected(macros('docm'), 'PK..word/vbaProject.bin')).to.equal(true)
    expect(await detected(macros('odt'), 'PK..Basic/Standard/Module1.xml')).to.equal(true)
    expect(await detected(macros('xls'), '_VBA_PROJECT', 'utf16le')).to.equal(true)
    expect(await detected(macros('fods'), '<ooo:module><ooo:source-code>Sub')).to.equal(true)
    expect(await detected(macros('docm'), 'PK..word/document.xml')).to.equal(false)
    expect(await detected(macros('html'), '<p>Scripts/one.py and Basic/two.bas</p>')).to.equal(false)
    expect(keepsMacros(pairOf('odt', 'ott'))).to.equal(true)
    expect(keepsMacros(pairOf('odt', 'pdf'))).to.equal(false)
    expect(withoutMacros(pairOf('xlsm', 'ods')).map(({ from, to }) => `${from} ${to}`)).to.deep.equal(['xlsm xlsx', 'xlsx ods'])
    expect(() => withoutMacros(pairOf('odg', 'otg'))).to.throw('convert it to pdf')
  })

  it('a file is looked at before LibreOffice is, however it comes in pieces', async () => {
    const kind = async (from: string, ...pieces: readonly string[]): Promise<string> => {
      const stream = async function* (): AsyncGenerator<Uint8Array> {
        for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece))
      }
      return await assertKind(pairOf(from, 'pdf'), stream()).then(
        () => 'taken',
        (error: unknown) => String(error),
      )
    }
    expect(await kind('docx', 'PK\x03\x04....word/', 'document.xml')).to.equal('taken')
    expect(await kind('docx', 'PK\x03\x04', ...'..word/document.xml')).to.equal('taken')
    expect(await kind('docx', 'PK\x03\x04....xl/workbook.xml')).to.contain('no docx file')
    expect(await kind('odt', 'PK\x03\x04....')).to.equal('taken')
    expect(await kind('docx', 'PK')).to.contain('no docx file')
    expect(await kind('doc', 'PK\x03\x04....')).to.contain('no doc file')
    expect(await kind('csv', 'x')).to.equal('taken')
    expect(await kind('csv')).to.contain('empty')
    expect(await kind('docx')).to.contain('empty')
  })
})
