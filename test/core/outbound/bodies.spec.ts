import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, constants, createGzip } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'
import { expect } from 'chai'
import { accessTo, cancelIn, faultOf, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { httpServer, rawServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { pause } from '../../support/time.js'

const MIB = 1 << 20

/** Gigabytes of zeros, compressed while they are sent. */
function* zeros(total: number): Generator<Buffer> {
  const block = Buffer.alloc(MIB)
  for (let sent = 0; sent < total; sent += MIB) yield block
}

describe('outbound: bodies', () => {
  let server: Running
  let kit: OutboundKit
  const json = Buffer.from(JSON.stringify({ text: 'x'.repeat(500) }))
  let encoded: Readonly<Record<string, [string, Buffer]>> = {}
  before(() => {
    encoded = {
      gzip: ['gzip', gzipSync(json)],
      xgzip: ['X-GZIP', gzipSync(json)],
      deflate: ['deflate', deflateSync(json)],
      rawdeflate: ['deflate', deflateRawSync(json)],
      br: ['br', brotliCompressSync(json)],
      zstd: ['zstd', Buffer.from('28b52ffd', 'hex')],
      chained: ['gzip, gzip', gzipSync(gzipSync(json))],
      cut: ['gzip', gzipSync(json).subarray(0, -6)],
      damaged: ['br', Buffer.from('this is not brotli at all')],
      bomb10: ['gzip', gzipSync(Buffer.alloc(10 * MIB))],
      brbomb: ['br', brotliCompressSync(Buffer.alloc(64 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    }
  })
  beforeEach(async () => {
    server = await httpServer((request, response) => {
      const name = (request.url ?? '/').slice(1)
      const [encoding, body] = encoded[name] ?? []
      if (encoding !== undefined && body !== undefined) {
        return response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body)
      }
      if (name === 'giant') return response.writeHead(200, { 'content-length': 5 * 1024 * MIB }).write('x')
      if (name === 'gigabomb') {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
        return pipeline(Readable.from(zeros(10 * 1024 * MIB)), createGzip(), response, () => undefined)
      }
      if (name === 'endless') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return pipeline(Readable.from(zeros(5 * 1024 * MIB)), response, () => undefined)
      }
      return response.end(json)
    })
    kit = outboundKit({ allow: ['127.0.0.1'] })
  })
  afterEach(async () => {
    await kit.close()
    await server.close()
  })

  for (const name of ['plain', 'gzip', 'xgzip', 'deflate', 'rawdeflate', 'br']) {
    it(`one layer of encoding is undone: ${name}`, async () => {
      const page = await kit.web.get(`${server.url}/${name}`, {}, cancelIn())
      expect(JSON.parse(Buffer.from(page.bytes).toString())).to.deep.equal({ text: 'x'.repeat(500) })
      const reply = await kit.api.request(accessTo(server.url), { path: `/${name}` }, cancelIn(), { once: false })
      expect(reply.body).to.deep.equal({ text: 'x'.repeat(500) })
    })
  }

  for (const name of ['zstd', 'chained', 'cut', 'damaged']) {
    it(`T-26 an encoding that is unknown, chained, cut or damaged is refused: ${name}`, async () => {
      expect((await faultOf(kit.web.get(`${server.url}/${name}`, {}, cancelIn()))).kind).to.equal('blocked')
      expect((await faultOf(kit.api.request(accessTo(server.url), { path: `/${name}` }, cancelIn(), { once: false }))).kind).to.equal(
        'broken',
      )
    })
  }

  for (const name of ['bomb10', 'brbomb', 'gigabomb', 'endless', 'giant']) {
    it(`T-25, T-26, F-21 ${name}: stopped at the cap, memory bounded, connection closed`, async () => {
      const before = process.memoryUsage().rss
      const fault = await faultOf(kit.web.get(`${server.url}/${name}`, { maxBytes: 4 * MIB }, cancelIn()))
      expect(fault.kind).to.equal('blocked')
      expect(fault.message).to.match(/4194304 bytes, which is the limit|expands more than a hundredfold/)
      expect(
        (await faultOf(kit.api.request(accessTo(server.url), { path: `/${name}`, maxBytes: 4 * MIB }, cancelIn(), { once: false }))).kind,
      ).to.equal('broken')
      expect((process.memoryUsage().rss - before) / MIB).to.be.below(50)
    })
  }

  it('T-26 above 1 MiB a body may not expand more than a hundredfold, although the cap would allow it', async () => {
    const fault = await faultOf(kit.web.get(`${server.url}/bomb10`, { maxBytes: 20 * MIB }, cancelIn()))
    expect(fault.message).to.contain('more than a hundredfold')
  })

  it('T-25 a body of exactly the cap passes, one byte more does not', async () => {
    const size = Buffer.byteLength(JSON.stringify({ text: 'x'.repeat(500) }))
    for (const name of ['plain', 'gzip']) {
      const page = await kit.web.get(`${server.url}/${name}`, { maxBytes: size }, cancelIn())
      expect(page.bytes.length).to.equal(size)
      expect((await faultOf(kit.web.get(`${server.url}/${name}`, { maxBytes: size - 1 }, cancelIn()))).message).to.contain(
        `${size - 1} bytes`,
      )
    }
  })

  it('T-26 a body below 1 MiB may expand more than a hundredfold', async () => {
    const small = await rawServer((socket) => {
      const body = gzipSync(Buffer.alloc(900_000))
      socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`), body]))
    })
    expect((await kit.web.get(small.url, {}, cancelIn())).bytes.length).to.equal(900_000)
    await small.close()
  })

  it('a stream gives the same bytes, and holds the cap', async () => {
    const chunks: Uint8Array[] = []
    const page = await kit.web.stream(`${server.url}/br`, {}, cancelIn())
    for await (const chunk of page.body) chunks.push(chunk)
    expect(JSON.parse(Buffer.concat(chunks).toString())).to.deep.equal({ text: 'x'.repeat(500) })
    const big = await kit.web.stream(`${server.url}/endless`, { maxBytes: MIB }, cancelIn())
    let seen = 0
    const fault = await faultOf(
      (async () => {
        for await (const chunk of big.body) seen += chunk.length
      })(),
    )
    expect(fault.message).to.contain(`${MIB} bytes`)
    expect(seen).to.be.at.most(MIB)
  })

  it('T-25 a slow reader of a stream holds the sender back instead of filling memory', async () => {
    const before = process.memoryUsage().rss
    const page = await kit.web.stream(`${server.url}/endless`, { maxBytes: 1024 * MIB }, cancelIn())
    let chunks = 0
    for await (const chunk of page.body) {
      expect(chunk.length).to.be.above(0)
      await pause(5)
      if (++chunks === 40) break
    }
    expect((process.memoryUsage().rss - before) / MIB).to.be.below(50)
    expect(server.open()).to.be.at.most(1)
  })
})

describe('outbound: bodies cut short', () => {
  const body = JSON.stringify({ data: 'y'.repeat(2_036) })

  for (const [framing, head] of [
    [
      'content-length',
      (close: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${close}content-length: ${body.length}\r\n\r\n`,
    ],
    [
      'chunked',
      (close: string) =>
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${close}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
    ],
  ] as const) {
    for (const ending of ['end', 'resetAndDestroy'] as const) {
      for (const close of ['', 'connection: close\r\n']) {
        it(`F-22 ${framing}, ${ending}${close === '' ? '' : ', connection: close'}: at each byte of 2 kB the reply is a failure, never partial data`, async () => {
          const server = await rawServer((socket, request) => {
            const cut = Number(/^GET \/(\d+)/.exec(request)?.[1])
            socket.write(head(close) + body.slice(0, cut), () =>
              ending === 'end' ? socket.end() : setImmediate(() => socket.resetAndDestroy()),
            )
          })
          const kit = outboundKit({ allow: ['127.0.0.1'] })
          const access = accessTo(server.url)
          const wrong: string[] = []
          const attempt = async (cut: number): Promise<void> => {
            const api = await kit.api
              .request(access, { path: `/${cut}`, reads: 'text' }, cancelIn(), { once: false })
              .catch((error: unknown) => error)
            if (!(api instanceof Error)) wrong.push(`api ${cut}`)
            if (cut % 16 !== 0) return
            const web = await kit.web.get(`${server.url}/${cut}`, {}, cancelIn()).catch((error: unknown) => error)
            if (!(web instanceof Error)) wrong.push(`web ${cut}`)
          }
          for (let from = 0; from < body.length; from += 64) {
            await Promise.all(Array.from({ length: Math.min(64, body.length - from) }, (_, step) => attempt(from + step)))
          }
          expect(wrong).to.deep.equal([])
          await kit.close()
          await server.close()
        })
      }
    }
  }

  it('F-22 a content-length that is too short does not leak bytes into the next reply', async () => {
    const server = await rawServer(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n"forged"`),
    )
    const kit = outboundKit()
    const access = accessTo(server.url)
    for (let turn = 0; turn < 3; turn++)
      expect((await kit.api.request(access, { path: '/' }, cancelIn(), { once: false })).body).to.deep.equal({})
    await kit.close()
    await server.close()
  })
})
