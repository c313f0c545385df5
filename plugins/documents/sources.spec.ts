import { expect } from 'chai'
import sharp from 'sharp'
import { docx, pdf, spreadsheet, written } from '../../test/support/documents.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { ExtractStage } from '../../test/support/extract-stage.js'
import type { Reply } from '../../test/support/gateway.js'
import { expectProblem } from '../../test/support/problem.js'
import type { HandlerContext } from '../../core/sdk/index.js'
import { readPicture } from './source/picture.js'

interface Answer {
  readonly data: { extracted: Record<string, unknown>; source_url: string; content_length: number; truncated: boolean }
  readonly metadata: { notes?: string[]; provider_used: string | null; providers_tried: string[] }
}

const INVOICE = {
  type: 'object',
  properties: { invoice_number: { type: 'string' }, total: { type: 'number' }, iban: { type: ['string', 'null'] } },
  required: ['invoice_number', 'total'],
}
const PRODUCTS = {
  type: 'object',
  properties: {
    products: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { colour: { type: 'string' }, price: { type: 'number' } }, required: ['colour', 'price'] },
    },
  },
}
const LINES = ['Invoice number: R-2026-17', 'Customer: Ada Example', 'Total: 12.50 EUR'] as const
const PAGE = written(...LINES.map((text, at) => [text, 20, 250 - 40 * at, 16] as const))

/** A picture of the lines, like a scan. */
async function picture(): Promise<Buffer> {
  const rows = LINES.map((text, at) => `<text x="60" y="${String(120 + 110 * at)}" font-size="56" font-family="DejaVu Sans">${text}</text>`)
  return await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="500"><rect width="1200" height="500" fill="white"/>${rows.join('')}</svg>`,
    ),
  )
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** A PDF whose only page is such a picture. */
function scanOf(jpeg: Buffer): Buffer {
  const content = 'q 432 0 0 180 0 0 cm /I Do Q'
  return Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 432 180]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>> endobj
4 0 obj <</Length ${String(content.length)}>> stream
${content}
endstream endobj
5 0 obj <</Type/XObject/Subtype/Image/Width 1200/Height 500/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${String(jpeg.length)}>> stream
`),
    jpeg,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF'),
  ])
}

describe('documents.extract without a model', function () {
  this.timeout(120_000)
  let stage: ExtractStage
  before(async function () {
    needs(this, 'bwrap')
    stage = await ExtractStage.start({ model: false })
  })
  after(() => stage?.close())
  beforeEach(() => stage.clear())

  const file = async (body: string | Uint8Array, type: string, schema: object = INVOICE): Promise<Reply> =>
    await stage.extract({ url: stage.put('/file', body, { type }), schema })
  const answered = (reply: Reply): Answer => {
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<Answer>()
  }
  const invoice = { invoice_number: 'R-2026-17', total: 12.5, iban: null }

  it('a page with JSON-LD fills a schema, and a note says how', async () => {
    const item = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Red kettle',
      offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
    }
    const url = stage.put(
      '/p',
      `<html lang="en"><head><title>Shop</title><script type="application/ld+json">${JSON.stringify(item)}</script></head><body><main><h1>Red kettle</h1><p>${'It boils water. '.repeat(40)}</p></main></body></html>`,
    )
    const properties = {
      name: { type: 'string' },
      price: { type: 'number' },
      currency: { type: 'string' },
      weight: { type: ['string', 'null'] },
    }
    const { data, metadata } = answered(await stage.extract({ url, schema: { type: 'object', properties, required: ['name', 'price'] } }))
    expect(data.extracted).to.deep.equal({ name: 'Red kettle', price: 12.5, currency: 'EUR', weight: null })
    expect(data).to.deep.include({ source_url: url, truncated: false })
    expect(metadata.providers_tried).to.deep.equal(['direct', 'structured-data'])
    expect(metadata.provider_used, 'who read the page only helped').to.equal('structured-data')
    expect(metadata.notes).to.deep.equal([
      'Filled without a language model, from structured data, tables and labels of the source. Not found: weight.',
    ])
  })

  it('M2 a message within a message is looked through, attached once or twice, or packed', async () => {
    const schema = { type: 'object', properties: { booking_number: { type: 'string' } }, required: ['booking_number'] }
    const inner = (number: string): string =>
      `From: c@example.org\nSubject: booking\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nInner booking number is ${number}.`
    const around = (part: string, more = ''): string =>
      `From: a@example.org\nSubject: Fwd: booking\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=${part.length}X\n\n--${part.length}X\nContent-Type: text/plain; charset=utf-8\n\nSee the attached message.\n--${part.length}X\nContent-Type: message/rfc822${more}\n\n${part}\n--${part.length}X--\n`
    for (const [what, message, number] of [
      ['attached', around(inner('BK-4711')), 'BK-4711'],
      [
        'attached with the name of a file',
        around(inner('HX-0207'), '\nContent-Disposition: attachment; filename="booking.eml"'),
        'HX-0207',
      ],
      ['in a message that is attached', around(around(inner('QR-3390'))), 'QR-3390'],
    ] as const)
      expect(answered(await file(message, 'message/rfc822', schema)).data.extracted, what).to.deep.equal({ booking_number: number })
  })

  it('J5 J6 J15 J16 JSON-LD with the mistakes that pages make fills a schema, not the title of the page', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } }, required: ['name', 'price'] }
    const item = (name: string, price: string): string =>
      `{"@context":"https://schema.org","@type":"Product","name":"${name}","description":"c","offers":{"@type":"Offer","price":"${price}","priceCurrency":"EUR"}}`
    const cleat = item('Brass cleat', '12.50')
    for (const [what, data, name, price] of [
      ['commas before brackets', cleat.replace('}}', ',},}'), 'Brass cleat', 12.5],
      ['quotation marks as entities', cleat.replaceAll('"', '&quot;'), 'Brass cleat', 12.5],
      ['two objects', `${cleat}\n{"@type":"Organization","name":"X"}`, 'Brass cleat', 12.5],
      ['escapes of JavaScript', cleat.replace('"c"', String.raw`"it\'s \x41"`), 'Brass cleat', 12.5],
      ['a comma at the end of a list', `[${item('Oak oar', '89')},]`, 'Oak oar', 89],
      ['numbers as entities', item('Jib sheet', '31.05').replaceAll('"', '&#34;'), 'Jib sheet', 31.05],
      [
        'three objects, the last of them the product',
        `{"@type":"WebSite","name":"Shop"}{"@type":"Organization","name":"X"}\n${item('Tin mug', '4.20')}`,
        'Tin mug',
        4.2,
      ],
      ['other escapes of JavaScript', item('Cork float', '7.75').replace('"c"', String.raw`"5\% \u{41} \-"`), 'Cork float', 7.75],
    ] as const) {
      const page = `<!DOCTYPE html><title>Shop</title><script type="application/ld+json">${data}</script><h1>Shop</h1><p>See below.</p>`
      expect(answered(await file(page, 'text/html', schema)).data.extracted, what).to.deep.equal({ name, price })
    }
  })

  it('HTML of the caller is looked through like a page', async () => {
    const content =
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Red kettle</b><i itemprop="price">12.50</i></div>'
    const { data } = answered(
      await stage.extract({ content, schema: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } } }),
    )
    expect(data).to.deep.equal({
      extracted: { name: 'Red kettle', price: 12.5 },
      source_url: null,
      content_length: content.length,
      truncated: false,
    })
  })

  it('a table of a Word document, the sheets of Excel', async () => {
    expect(answered(await file(docx(), 'application/octet-stream', PRODUCTS)).data.extracted).to.deep.equal({
      products: [{ colour: 'red', price: 12.5 }],
    })
    const { extracted } = answered(await file(spreadsheet('xlsx'), 'application/octet-stream', PRODUCTS)).data
    expect(extracted).to.deep.equal({
      products: [
        { colour: 'red | blue', price: 12.5 },
        { colour: 'green', price: 1200 },
      ],
    })
  })

  it('the text of a PDF, of a scan and of a picture', async function () {
    needs(this, 'tesseract', 'pdftoppm', 'pdfinfo')
    expect(answered(await file(pdf([{ content: PAGE }]), 'application/pdf')).data.extracted).to.deep.equal(invoice)
    const jpeg = await picture()
    expect(answered(await file(scanOf(jpeg), 'application/pdf')).data.extracted).to.deep.equal(invoice)
    expect(answered(await file(jpeg, 'image/jpeg')).data.extracted).to.deep.equal(invoice)
  })

  it('T-49 a long PDF is read in part, and truncated says so', async () => {
    const { data, metadata } = answered(await file(pdf(Array.from({ length: 1_000 }, () => ({ content: PAGE }))), 'application/pdf'))
    expect(data.extracted).to.deep.equal(invoice)
    expect(data.truncated).to.equal(true)
    expect(metadata.notes?.join(' ')).to.match(/Of 1000 pages \d+ were read/)
  })

  it('T-49 files that cannot be read are 422 at url with the reason, free', async () => {
    const locked = pdf(
      [{ content: PAGE }],
      '',
      `9 0 obj <</Filter/Standard/V 2/R 3/Length 128/P -44/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})>> endobj`,
    )
    const hostile: readonly (readonly [Uint8Array, string])[] = [
      [Buffer.from(locked.toString('latin1').replace('/Info 3 0 R', '/Info 3 0 R/Encrypt 9 0 R/ID[(a)(a)]'), 'latin1'), 'password'],
      [docx({ 'word/media/a.bin': Buffer.alloc(8 << 20) }), '100 times its size'],
      [docx({ 'word/document.xml': '<a' }), 'cannot be read'],
      [Buffer.from('%PDF-1.4 nothing'), 'cannot be read'],
    ]
    for (const [body, reason] of hostile) {
      const reply = await file(body, 'application/octet-stream')
      expectProblem(reply, 'validation-failed')
      expect(reply.json().detail?.[0]?.loc, reply.text).to.deep.equal(['body', 'url'])
      expect(reply.text).to.contain(reason)
      expect(reply.headers['x-credits-used']).to.equal('0')
    }
  })

  it('what is missing, refuses or is internal is distinguished', async () => {
    const missing = await stage.extract({ url: stage.put('/x', '').replace('/x', '/absent'), schema: INVOICE })
    expectProblem(missing, 'no-result')
    expectProblem(await stage.extract({ url: 'http://10.0.0.1/secret', schema: INVOICE }), 'target-blocked')
    expectProblem(await stage.extract({ url: 'http://[::1]/', schema: INVOICE }), 'target-blocked')
  })

  it('what does not fill the schema is no result that names what lacks and the settings that help', async () => {
    const reply = await stage.extract({ content: 'Total: 12.50', schema: INVOICE })
    expectProblem(reply, 'no-result')
    expect(reply.text).to.contain('invoice_number').and.contain('OPENAI_API_KEY')
  })

  it('a prompt alone is 503 and names the settings of the models, before anything is fetched or held', async () => {
    const reply = await stage.extract({ url: stage.put('/p', 'Total: 12.50'), extraction_prompt: 'The total.' })
    expectProblem(reply, 'capability-unavailable')
    for (const setting of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) expect(reply.text).to.contain(setting)
    expect(reply.headers['x-credits-used']).to.equal('0')
    expect(stage.fetched).to.deep.equal([])
  })

  it('a scan without text recognition ends with what the core says is to be installed', async () => {
    const lacking = new Error('No provider of ocr.read is live. tesseract: install tesseract (Debian package tesseract-ocr).')
    const ctx = {
      has: () => false,
      progress: () => undefined,
      call: () => Promise.reject(lacking),
    } as unknown as HandlerContext
    const error: unknown = await readPicture({ id: '0'.repeat(32), size: 9 }, ctx).catch((reason: unknown) => reason)
    expect(error).to.equal(lacking)
  })
})
