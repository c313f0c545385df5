import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { pdf, written } from '../../test/support/documents.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type Reply, type TestGateway } from '../../test/support/gateway.js'
import { TemporaryFolder } from '../../test/support/store.js'

const page = { content: written(['Invoice 7', 20, 250]) }
const xmlBomb = `<!DOCTYPE a [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY b${String(at)} "${`&${at === 0 ? 'a' : `b${String(at - 1)}`};`.repeat(10)}">`).join('')}]><Invoice><ID>&b8;</ID></Invoice>`
/** Attaches XML as electronic invoices do. */
const withXml = (xml: string): Buffer =>
  pdf(
    [page],
    '/Names<</EmbeddedFiles<</Names[(factur-x.xml) 8 0 R]>>>>',
    `8 0 obj <</Type/Filespec/F(factur-x.xml)/UF(factur-x.xml)/EF<</F 9 0 R>>>> endobj\n9 0 obj <</Type/EmbeddedFile/Length ${String(xml.length)}>> stream\n${xml}\nendstream endobj`,
  )
/** XML attached to a position on the last of two pages, outside the list of files. */
const withXmlOnPage = (xml: string): Buffer => {
  const annotated = pdf(
    [page, page],
    '',
    `7 0 obj <</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 8 0 R>> endobj\n8 0 obj <</Type/Filespec/F(factur-x.xml)/UF(factur-x.xml)/EF<</F 9 0 R>>>> endobj\n9 0 obj <</Type/EmbeddedFile/Length ${String(xml.length)}>> stream\n${xml}\nendstream endobj`,
  ).toString('latin1')
  return Buffer.from(annotated.replace(/(.*)\/Annots\[6 0 R\]/s, '$1/Annots[6 0 R 7 0 R]'), 'latin1')
}
const UBL =
  '<Invoice><ID>7</ID><IssueDate>2026-01-31</IssueDate><DocumentCurrencyCode>EUR</DocumentCurrencyCode><TaxTotal><TaxAmount>20</TaxAmount></TaxTotal>' +
  '<LegalMonetaryTotal><TaxExclusiveAmount>100</TaxExclusiveAmount><TaxInclusiveAmount>120</TaxInclusiveAmount></LegalMonetaryTotal></Invoice>'

/** A body generated while it is sent. */
interface Flood {
  readonly begin: string
  readonly piece: string
  readonly times: number
}

function flood(response: ServerResponse, { begin, piece, times }: Flood): void {
  let left = times
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(piece)) return void response.once('drain', more)
    }
    response.end()
  }
  response.write(begin)
  more()
}

/** A PDF with attached XML that unpacks to so many bytes. */
const withBomb = (bytes: number): Buffer => {
  const packed = deflateSync(Buffer.concat([Buffer.from(UBL.slice(0, 20)), Buffer.alloc(bytes, 0x20)]), { level: 9 }).toString('latin1')
  return pdf(
    [page],
    '/Names<</EmbeddedFiles<</Names[(factur-x.xml) 8 0 R]>>>>',
    `8 0 obj <</Type/Filespec/F(factur-x.xml)/UF(factur-x.xml)/EF<</F 9 0 R>>>> endobj\n9 0 obj <</Type/EmbeddedFile/Filter/FlateDecode/Length ${String(packed.length)}>> stream\n${packed}\nendstream endobj`,
  )
}
const MIB = 1024 * 1024

/** A gateway, a site with the file, and a vendor that records its requests. */
class InvoiceStage {
  file: Uint8Array | Flood = new Uint8Array(0)
  sent: Buffer[] = []
  readonly #usual = tmpdir()
  readonly #temporary = new TemporaryFolder()
  readonly #running: Running[] = []
  #gateway: TestGateway | null = null

  async start(): Promise<void> {
    await chmod(this.#temporary.path, 0o711)
    process.env['TMPDIR'] = this.#temporary.path
    const site = await httpServer((_, response) => {
      if (this.file instanceof Uint8Array) response.end(this.file)
      else flood(response, this.file)
    })
    const vendor = await httpServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        if (request.method === 'POST') this.sent.push(Buffer.concat(pieces))
        const amount = (value: number) => ({ valueCurrency: { amount: value, currencyCode: 'EUR' } })
        const fields = { InvoiceId: { valueString: '8' }, SubTotal: amount(50), TotalTax: amount(10), InvoiceTotal: amount(60) }
        if (request.method === 'POST') response.writeHead(202, { 'operation-location': 'https://a.example/analyzeResults/1' }).end()
        else
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ status: 'succeeded', analyzeResult: { documents: [{ fields }] } }))
      })
    })
    this.#running.push(site, vendor)
    this.#gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(site.port)}`,
        CAPSTAN_VENDOR_AZURE_URL: vendor.url,
        AZURE_DOCUMENT_INTELLIGENCE_KEY: 'k',
      },
    })
  }

  async parse(file: Uint8Array | string | Flood, url = `${this.#running[0]?.url ?? ''}/file`): Promise<Reply> {
    this.file = typeof file === 'string' ? Buffer.from(file) : file
    if (this.#gateway === null) throw new Error('not started')
    return await this.#gateway.post('/v1/invoices/parse', { document_url: url })
  }

  async balance(): Promise<number> {
    return (await this.#gateway?.money())?.balance ?? Number.NaN
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    for (const each of this.#running) await each.close()
    process.env['TMPDIR'] = this.#usual
    this.#temporary.remove()
  }
}

describe('invoices: through a gateway', function () {
  this.timeout(60_000)
  const stage = new InvoiceStage()
  before(async function () {
    needs(this, 'bwrap')
    await stage.start()
  })
  after(() => stage.close())
  beforeEach(() => void (stage.sent = []))

  const REFUSED: Readonly<Record<string, [() => Uint8Array | string, RegExp]>> = {
    'an entity of the machine': [
      () => '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><Invoice><ID>&e;</ID></Invoice>',
      /document type/,
    ],
    'entities that multiply': [() => xmlBomb, /document type/],
    'elements without end': [() => `<Invoice>${'<a>'.repeat(200_000)}`, /The XML is broken/],
    'XML that is cut': [() => UBL.slice(0, -30), /The XML is broken/],
    'XML of more than 10 MB': [() => `<Invoice>${'<a>b</a>'.repeat(1_400_000)}</Invoice>`, /larger than the 10 MB/],
    'XML of another kind': [() => '<order/>', /its root is order/],
    'a PDF that is cut': [() => pdf([page]).subarray(0, 100), /broken|no PDF/],
    'a PDF with a password': [
      () =>
        Buffer.from(
          pdf([page]).toString('latin1').replace('trailer <<', 'trailer <</Encrypt <</Filter/Standard/V 1/R 2/O(x)/U(x)/P -4>>/ID[(a)(a)]'),
          'latin1',
        ),
      /encrypted|password|broken/,
    ],
    'a PDF of 10,000 pages': [() => pdf(Array.from({ length: 10_000 }, () => ({ content: '' }))), /10000 pages, more than the 200/],
    'a web page': [() => '<!doctype html><html><body>Invoice</body></html>', /is a web page/],
    'an archive': [() => Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), /application\/zip.*PDF, pictures/],
    'nothing at all': [() => '', /empty/],
    noise: [() => Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7919) % 256)), /no known kind|text\/plain/],
  }
  for (const [what, [make, said]] of Object.entries(REFUSED)) {
    it(`${what} is refused with the reason, about the field, and costs nothing`, async () => {
      const before = await stage.balance()
      const reply = await stage.parse(make())
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.json().error?.detail).to.match(said)
      expect(reply.text).to.contain('document_url')
      expect(await stage.balance()).to.equal(before)
      expect(stage.sent).to.have.lengthOf(0)
    })
  }

  it('XML of 100 MB is refused while it comes, and an endless one', async () => {
    const before = await stage.balance()
    const peak = process.resourceUsage().maxRSS
    for (const times of [100, 100_000]) {
      const reply = await stage.parse({ begin: '<Invoice>', piece: '<a>b</a>'.repeat(131_072), times })
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text)
        .to.match(/larger than|bytes|MB/)
        .and.contain('document_url')
    }
    expect((process.resourceUsage().maxRSS - peak) / 1024).to.be.lessThan(100)
    expect(await stage.balance()).to.equal(before)
  })

  it('a PDF whose attached XML unpacks to hundreds of megabytes is read by its print, in the memory of the sandbox', async () => {
    const bomb = withBomb(300 * MIB)
    expect(bomb.length).to.be.lessThan(MIB)
    const peak = process.resourceUsage().maxRSS
    const reply = await stage.parse(bomb)
    expect(reply.json().data, reply.text).to.deep.include({ invoice_number: '8', total_amount: 60 })
    expect((process.resourceUsage().maxRSS - peak) / 1024).to.be.lessThan(100)
  })

  it('an address that is not public is refused, and one that is no address', async () => {
    expect((await stage.parse('', 'http://169.254.169.254/invoice.pdf')).status).to.equal(422)
    const none = await stage.parse('', 'invoice.pdf')
    expect(none.status).to.equal(422)
    expect(none.text).to.contain('is not a complete address')
  })

  it('data attached to a PDF is taken, and no vendor is sent the print', async () => {
    const reply = await stage.parse(withXml(UBL))
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.deep.include({ credits_used: 3 })
    expect(reply.json().data).to.deep.include({ invoice_number: '7', date: '2026-01-31', subtotal: 100, total_tax: 20, total_amount: 120 })
    expect(stage.sent).to.have.lengthOf(0)
  })

  it('F20 data attached to a place on a page is taken, and blank lines may stand before it', async () => {
    const declared = `\n\r\n  <?xml version="1.0" encoding="UTF-8"?>${UBL}`
    for (const file of [withXmlOnPage(UBL), withXmlOnPage(declared), withXml(declared), declared]) {
      const reply = await stage.parse(file)
      expect(reply.status, reply.text).to.equal(200)
      expect(reply.json().data).to.include({ invoice_number: '7', total_amount: 120 })
    }
    expect(stage.sent).to.have.lengthOf(0)
  })

  it('a PDF whose attached XML is hostile is read by its print', async () => {
    const file = withXml(xmlBomb)
    const reply = await stage.parse(file)
    expect(reply.json().data).to.deep.include({ invoice_number: '8', total_amount: 60 })
    expect(stage.sent[0]?.equals(file)).to.equal(true)
  })

  it('a photo is sent upright, whichever way the camera was held', async () => {
    const drawn = () => sharp({ create: { width: 300, height: 200, channels: 3, background: '#ffffff' } }).jpeg()
    const photo = await drawn().withMetadata({ orientation: 6 }).toBuffer()
    expect((await stage.parse(photo)).json().data).to.deep.include({ total_amount: 60 })
    const { width, height, orientation = 1 } = await sharp(stage.sent[0]).metadata()
    expect([width, height, orientation]).to.deep.equal([200, 300, 1])
    const upright = await drawn().toBuffer()
    await stage.parse(upright)
    expect(stage.sent[1]?.equals(upright)).to.equal(true)
  })
})
