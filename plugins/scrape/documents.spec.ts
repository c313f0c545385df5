import { expect } from 'chai'
import { docx, EPUB, ODT, pdf, PPTX, spreadsheet, written } from '../../test/support/documents.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type Reply, type TestGateway } from '../../test/support/gateway.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { writeZip } from '../../test/support/zip-writer.js'

interface Page {
  readonly content: string
  readonly title: string | null
  readonly links: string[]
}

describe('scrape: documents', function () {
  this.timeout(60_000)
  let site: Running
  let gateway: TestGateway
  let served: { readonly type: string; readonly bytes: Uint8Array }

  before(async function () {
    needs(this, 'bwrap')
    site = await httpServer((_, response) => response.setHeader('content-type', served.type).end(Buffer.from(served.bytes)))
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
  })

  const ask = async (bytes: Uint8Array, type = 'application/octet-stream', input: object = {}): Promise<Reply> => {
    served = { type, bytes }
    return await gateway.post('/v1/scrape', { url: `${site.url}/file`, mode: 'fast', ...input })
  }
  const page = async (...asked: Parameters<typeof ask>): Promise<Page> => {
    const reply = await ask(...asked)
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<{ data: Page }>().data
  }
  const leaf = { content: written(['Ten kettles, all red', 20, 200]) }

  it('reads text, title and links of a PDF', async () => {
    expect(await page(pdf([leaf, leaf]), 'application/pdf')).to.deep.include({
      content: 'Ten kettles, all red\n\nTen kettles, all red',
      title: 'Red kettles',
      links: ['https://d.example/p'],
    })
    expect((await page(pdf([leaf]), 'application/pdf', { output: 'html' })).content).to.equal('<pre>Ten kettles, all red</pre>')
  })

  it('T-49 reads 200 pages of a PDF and says so, and refuses a broken one, free', async () => {
    const long = await ask(pdf(Array.from({ length: 201 }, () => leaf)), 'application/pdf')
    expect(long.json<{ data: Page }>().data.content.split('Ten kettles')).to.have.length(201)
    expect(long.json().metadata).to.have.property('notes').that.deep.equals(['Of 201 pages 200 were read, from page 1.'])
    for (const broken of ['%PDF-1.4 nothing', 'hello']) {
      const reply = await ask(Buffer.from(broken), 'application/pdf')
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.headers['x-credits-used']).to.equal('0')
      expect(reply.text).to.contain('the document at url cannot be read').and.contain('"url"')
    }
  })

  it('says that a scan has no text', async () => {
    expect((await ask(pdf([{ content: '' }]), 'application/pdf')).text).to.contain('only pictures')
  })

  it('reads a Word document as Markdown and as HTML', async () => {
    const markdown = await page(docx())
    expect(markdown.content).to.contain('# Kettles').and.contain('Ten **red** kettles').and.contain('| red')
    expect(markdown).to.deep.include({ links: ['https://d.example/p'] })
    expect((await page(docx(), undefined, { output: 'html' })).content).to.contain('<strong>red</strong>')
  })

  it('T-49 does not unpack a Word document that is a bomb, and refuses a broken one', async () => {
    expect((await ask(docx({ 'word/media/a.bin': Buffer.alloc(8 << 20) }))).text).to.contain('more than 100 times its size')
    expect((await ask(docx({ 'word/document.xml': '<a' }))).status).to.equal(422)
  })

  for (const [name, bytes, type, words] of [
    ['a spreadsheet', spreadsheet('xlsx'), undefined, ['Colour', '12.5']],
    ['an old spreadsheet', spreadsheet('xls'), undefined, ['Colour', '12.5']],
    ['a presentation', writeZip(PPTX), undefined, ['Ten <red> ones', 'Say hello first']],
    ['a text document of OpenDocument', writeZip(ODT), 'application/vnd.oasis.opendocument.text', ['Ten red & blue']],
    ['a book', writeZip(EPUB), 'application/epub+zip', ['First', 'Two pots']],
  ] as const)
    it(`reads ${name}`, async () => {
      const { content } = await page(bytes, type)
      for (const word of words) expect(content.replaceAll('\\', '').replaceAll('&lt;', '<')).to.contain(word)
    })
})
