import { expect } from 'chai'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpServer, tcpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noCallFiles } from '../support/call-files.js'
import { EPUB, pdf, written } from '../support/documents.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { needsProgram } from '../support/needs.js'
import { officeDocuments } from '../support/office-documents.js'
import { TemporaryFolder } from '../support/store.js'
import { writeZip } from '../support/zip-writer.js'

/** Written into a file beside the gateway, and answered by what nobody may reach. */
const SECRET = 'the-secret-of-the-machine'

interface Hostile {
  readonly data: string | Uint8Array
  readonly from: string
  readonly to: string
}

/** Files that want to read `file`, to reach `inside`, or to take more than there is. */
function hostileFiles(inside: string, file: string): Readonly<Record<string, Hostile>> {
  const office = officeDocuments(inside)
  const of = (name: string, to: string): Hostile => ({ data: office[name] ?? '', from: name.split('.').at(-1) ?? '', to })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"><image xlink:href="${inside}/a.png" width="9" height="9"/><image xlink:href="file://${file}" width="9" height="9"/><text y="20"><tref xlink:href="file://${file}#a"/></text></svg>`
  const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at} "${`&l${at === 0 ? '' : at - 1};`.repeat(10)}">`).join('')}]><Invoice>&l8;</Invoice>`
  const external = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file://${file}"><!ENTITY % y SYSTEM "${inside}/a.dtd"> %y;]><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">&x;</Invoice>`
  const page = `<html><body><p>The document</p><img src="file://${file}"><iframe src="file://${file}"></iframe><embed src="${inside}/e"><link rel="stylesheet" href="file://${file}"><style>@import "${inside}/s.css"; p { background: url(${inside}/b.png) }</style></body></html>`
  return {
    'a Word document with linked pictures and texts': of('linked.docx', 'txt'),
    'an OpenDocument text with linked sections': of('linked.odt', 'html'),
    'a rich text with linked pictures and texts': of('linked.rtf', 'txt'),
    'a sheet that calls a service': of('service.ods', 'csv'),
    'a document with a macro that runs when it is opened': of('macro.odt', 'txt'),
    'a Word document cut short': of('cut.docx', 'pdf'),
    'a Word document under a password': of('sealed.docx', 'pdf'),
    'a text that calls itself a Word document': of('text.docx', 'pdf'),
    'a web page of links into the machine': { data: page, from: 'html', to: 'pdf' },
    'a web page of links into the machine, as a book': { data: page, from: 'html', to: 'epub' },
    'Markdown that includes files': {
      data: `![x](file://${file})\n\n\\input{${file}}\n\n<img src="${inside}/m.png">\n`,
      from: 'markdown',
      to: 'docx',
    },
    'reStructuredText that includes files': {
      data: `.. include:: ${file}\n\n.. raw:: html\n   :file: ${file}\n\nText\n`,
      from: 'rst',
      to: 'html',
    },
    'LaTeX that reads files': {
      data: `\\documentclass{article}\\begin{document}\\input{${file}}\\include{${file}}\\write18{cat ${file}}Text\\end{document}`,
      from: 'latex',
      to: 'html',
    },
    'a drawing with linked pictures': { data: svg, from: 'svg', to: 'png' },
    'a drawing of ImageMagick under the name of a picture': {
      data: `push graphic-context\nimage over 0,0 0,0 'text:${file}'\nimage over 0,0 0,0 'url:${inside}/v'\npop graphic-context`,
      from: 'jpeg',
      to: 'png',
    },
    'PostScript under the name of a picture': {
      data: `%!PS\n(${file}) (r) file 100 string readline pop show showpage`,
      from: 'png',
      to: 'jpeg',
    },
    'a playlist under the name of a film': {
      data: `#EXTM3U\n#EXTINF:1,\nfile://${file}\n#EXTINF:1,\n${inside}/v.ts\n#EXT-X-ENDLIST\n`,
      from: 'mp4',
      to: 'mp3',
    },
    'a list of parts under the name of a film': {
      data: `ffconcat version 1.0\nfile 'file://${file}'\nfile '${inside}/c.ts'\n`,
      from: 'mkv',
      to: 'wav',
    },
    'a book with paths that lead out of it': {
      data: writeZip({ ...EPUB, '../../../../tmp/out.txt': 'x', 'OEBPS/x.xhtml': page }),
      from: 'epub',
      to: 'txt',
    },
    'an archive whose names lead out of it': { data: writeZip({ '../../out.txt': 'x', '/etc/out.txt': 'x' }), from: 'zip', to: 'tar' },
    'an archive that unpacks to far more': { data: writeZip({ 'a.bin': Buffer.alloc(64 << 20) }), from: 'zip', to: 'tar' },
    'a PDF that is cut short': { data: pdf([{ content: written(['Kettles', 20, 200]) }]).subarray(0, 200), from: 'pdf', to: 'txt' },
    'a PDF that opens a file': {
      data: pdf([{ content: written(['Kettles', 20, 200]) }], `/OpenAction << /S /Launch /F (${file}) >>`),
      from: 'pdf',
      to: 'txt',
    },
    'an invoice of entities that multiply': { data: laughs, from: 'xml', to: 'json' },
    'an invoice that reads files': { data: external, from: 'xml', to: 'json' },
  }
}

/** `npm test` sends every fifth. */
const ALL = process.env.CAPSTAN_TEST_LONG === 'all'

describe('hostile documents', function () {
  this.timeout(180_000)
  const usual = tmpdir()
  let temporary: TemporaryFolder
  let gateway: TestGateway
  let key: string
  let site: Running
  let inside: Running
  let reached = 0
  let files: Readonly<Record<string, Hostile>>
  let balance: number

  before(async function () {
    for (const program of ['bwrap', 'soffice', 'pandoc', 'ffmpeg', 'convert', 'ebook-convert']) needsProgram(this, program)
    temporary = new TemporaryFolder()
    // Programs run as users of their own, who must be able to enter it.
    chmodSync(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    inside = await tcpServer((socket) => {
      reached += 1
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${SECRET.length}\r\n\r\n${SECRET}`)
    })
    const shown = join(temporary.path, 'shown')
    mkdirSync(shown)
    const secret = join(shown, 'secret.txt')
    writeFileSync(secret, SECRET)
    files = hostileFiles(`http://127.0.0.1:${inside.port}`, secret)
    const names = Object.keys(files)
    site = await httpServer((request, response) => {
      const name = names[Number(/\/(\d+)\./.exec(request.url ?? '')?.[1] ?? '-1')]
      const file = name === undefined ? undefined : files[name]
      if (file === undefined) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': file.from === 'html' ? 'text/html' : 'application/octet-stream' }).end(file.data)
    })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
    ;({ key } = await gateway.newKey())
    balance = (await gateway.money()).balance
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    await inside?.close()
    process.env['TMPDIR'] = usual
    temporary?.remove()
  })

  /** Refused for nothing, or answered without the secret. */
  async function harmless(path: string, body: object): Promise<number> {
    const reply = await gateway.send(path, { method: 'POST', body, key })
    expect(reply.status, `${path}: ${reply.text}`).to.be.oneOf([200, 422])
    expect(reply.text, path).not.to.contain(SECRET)
    if (reply.status === 422) expect(reply.json()).to.have.property('credits_used', 0)
    const url: unknown = reply.json<{ data?: { file_url?: string } }>().data?.file_url
    if (typeof url === 'string') {
      const made = await fetch(url)
      expect(Buffer.from(await made.arrayBuffer()).includes(SECRET), `${path}: the file`).to.equal(false)
    }
    return Number(reply.headers['x-credits-used'])
  }

  it('T-49 T-51 read no file, reach nothing, leave nothing, and cost nothing when they are refused: 25 by each capability that takes files', async () => {
    expect(Object.keys(files)).to.have.length(25)
    let charged = 0
    for (const [at, [, { from, to }]] of Object.entries(files).entries()) {
      if (!ALL && at % 5 > 0) continue
      const url = `http://127.0.0.1:${site.port}/${at}.${from}`
      const calls: readonly (readonly [string, object])[] = [
        ['/v1/files/convert', { file_url: url, source_format: from, target_format: to }],
        ['/v1/documents/extract', { url, schema: { type: 'object', properties: { title: { type: ['string', 'null'] } } } }],
        ['/v1/invoices/parse', { document_url: url }],
        ['/v1/scrape', { url, mode: 'fast' }],
      ]
      for (const credits of await Promise.all(calls.map(([path, body]) => harmless(path, body)))) charged += credits
    }
    expect(reached, 'connections to what is inside').to.equal(0)
    await noCallFiles(temporary.path)
    expect(balance - (await gateway.money()).balance).to.equal(charged)
  })
})
