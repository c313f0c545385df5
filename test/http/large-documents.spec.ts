import { expect } from 'chai'
import { markPeak, peakMib } from '../../scripts/gateway/process.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { pdf, workbookParts, written } from '../support/documents.js'
import type { Reply } from '../support/gateway.js'
import { needsProgram } from '../support/needs.js'
import { Served } from '../support/served.js'
import { writeZip } from '../support/zip-writer.js'

/** MiB that a call may take of the gateway itself, whatever the file. */
const MOST_MIB = 100
const ROWS = 1_000_000
const SCHEMA = { type: 'object', properties: { total: { type: ['number', 'null'] }, name: { type: ['string', 'null'] } } }
const SENTENCE = 'Kettles boil water on most days of the week. '
const longText = (): string => `Total: 12.50 EUR\n\n${SENTENCE.repeat(Math.ceil(3_000_000 / SENTENCE.length))}`

const page = { content: written(['Total: 12.50 EUR', 20, 200]) }
const encryption = `9 0 obj <</Filter/Standard/V 2/R 3/Length 128/P -44/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})>> endobj`
const locked = (): Buffer =>
  Buffer.from(pdf([page], '', encryption).toString('latin1').replace('/Info 3 0 R', '/Info 3 0 R/Encrypt 9 0 R/ID[(a)(a)]'), 'latin1')
const rowNumber = (at: number): number => (at * 2_654_435_761) % 4_294_967_296
const csv = (): string =>
  `name,total\n${Array.from({ length: ROWS }, (_, at) => `kettle ${String(at)},${String(rowNumber(at))}`).join('\n')}\n`
const workbook = (): Uint8Array => {
  const rows = Array.from({ length: ROWS }, (_, at) => `<row><c><v>${String(rowNumber(at))}</v></c></row>`).join('')
  return writeZip(workbookParts(`<row><c t="inlineStr"><is><t>total</t></is></c></row>${rows}`))
}

const FILES: Readonly<Record<string, readonly [name: string, body: () => string | Uint8Array, status: 200 | 422, words: RegExp]>> = {
  'a PDF of 10,000 pages': ['pages.pdf', () => pdf(Array.from({ length: 10_000 }, () => page)), 200, /"truncated":true/],
  'a PDF under a password': ['locked.pdf', locked, 422, /password/],
  'a table of a million rows': ['rows.csv', csv, 200, /"truncated":true|too (?:long|much memory)|larger than/],
  'a workbook of a million rows': ['rows.xlsx', workbook, 200, /"truncated":true|too (?:long|much memory)|unpacks to|larger than/],
  'a text of three million characters': ['long.txt', longText, 200, /"content_length":300/],
}

describe('large documents', function () {
  this.timeout(180_000)
  let served: Served
  let site: Running
  let pid = 0
  let extract: (body: Record<string, unknown>) => Promise<Reply>

  before(async function () {
    needsProgram(this, 'bwrap')
    const bodies = new Map(Object.values(FILES).map(([name, body]) => [`/${name}`, body]))
    site = await httpServer((request, response) => {
      const body = bodies.get(request.url ?? '')
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' }).end(body?.() ?? '')
    })
    served = new Served()
    ;({ pid } = await served.line('ready'))
    const { key } = await served.account(1_000)
    extract = async (body) => await served.send('/v1/documents/extract', { method: 'POST', body, key })
    // The first calls bring modules, threads and buffers that later ones find.
    for (const content of ['Total: 12.50 EUR', SENTENCE.repeat(20_000)]) await extract({ content, schema: SCHEMA })
  })
  after(async () => {
    await served?.end()
    await site?.close()
  })

  /** Refused for nothing, or answered as far as it was read, within the memory that a call may take of the gateway. */
  async function bounded(body: Record<string, unknown>, words: RegExp): Promise<Reply> {
    markPeak(pid)
    const before = peakMib(pid)
    const reply = await extract(body)
    expect(reply.status, reply.text.slice(0, 500)).to.be.oneOf([200, 422])
    if (reply.status === 422) expect(reply.headers['x-credits-used']).to.equal('0')
    // Without a model a large table may hold nothing that fills the schema.
    if (!reply.text.includes('/errors/no-result')) expect(reply.text).to.match(words)
    expect(peakMib(pid) - before, 'MiB').to.be.below(MOST_MIB)
    return reply
  }

  for (const [title, [name, , status, words]] of Object.entries(FILES))
    it(`T-49 N-32 ${title} is read as far as it goes, which the answer says, or refused for nothing`, async () => {
      const reply = await bounded({ url: `${site.url}/${name}`, schema: SCHEMA }, words)
      if (status === 422) expect(reply.status).to.equal(422)
    })

  it('T-49 N-32 a pasted text of three million characters as well', async () => {
    await bounded({ content: longText(), schema: SCHEMA }, /"content_length":300/)
  })
})
