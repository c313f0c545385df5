import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { Cancel } from '../../../core/runtime/cancel.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { requestBody, StreamedBody } from '../../../core/outbound/request-body.js'
import type { ScratchFile } from '../../../core/sdk/index.js'
import { accessTo, cancelIn, faultOf, HandClock, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { httpServer, rawServer, tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { errorOf, settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const MIB = 1024 * 1024
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Seen {
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Files of calls that are open in this process. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`)
      return /\/[0-9a-f]{32}(?: \(deleted\))?$/.test(target) ? [target] : []
    } catch {
      return []
    }
  })
}

describe('outbound: bodies with files of a call', () => {
  let kit: OutboundKit
  let folder: ScratchFolder
  const servers: Running[] = []
  // Of tests that ran before in the same process.
  let others: ReadonlySet<string>
  beforeEach(() => {
    others = new Set(openFiles())
    kit = outboundKit()
    folder = new ScratchFolder(512 * MIB)
  })
  afterEach(async () => {
    await kit.close()
    for (const server of servers.splice(0)) await server.close()
    await until(() => openFiles().every((file) => others.has(file)), 5_000)
    await folder.close()
  })
  const put = (bytes: Uint8Array): Promise<ScratchFile> => folder.write([bytes])
  const served = async (seen: Seen[]): Promise<Running> => {
    const server = await httpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        seen.push({ headers: request.headers, body: Buffer.concat(chunks) })
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    servers.push(server)
    return server
  }

  it('raw: the length is known, nothing is chunked, and the call cannot say otherwise', async () => {
    const seen: Seen[] = []
    const server = await served(seen)
    for (const size of [0, 1, 65_536, 3 * MIB + 7]) {
      const bytes = randomBytes(size)
      const call = {
        path: '/upload',
        headers: { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
        bytes: { data: await put(bytes), contentType: 'application/octet-stream' },
      }
      await kit.api.request(accessTo(server.url), call, cancelIn(), { once: false, files: folder })
      const last = seen.at(-1)
      expect([last?.headers['content-length'], last?.headers['transfer-encoding']]).to.deep.equal([String(size), undefined])
      expect(sha(last?.body ?? Buffer.alloc(0))).to.equal(sha(bytes))
    }
  })

  it('a form with files is, byte for byte, the form with the same bytes in memory', async () => {
    const name = fc.constantFrom('file', 'a"b', 'line\r\nbreak')
    const data = fc.oneof(
      fc.string().map((text) => ({ text })),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes })),
    )
    const part = fc.record({ name, data, onDisk: fc.boolean(), filename: fc.option(name, { nil: undefined }) })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const made = await Promise.all(
          parts.map(async ({ name: called, data: given, onDisk, filename }) => {
            const inMemory = 'text' in given ? given.text : given.bytes
            const head = { name: called, ...(filename === undefined ? {} : { filename }) }
            return { inMemory: { ...head, data: inMemory }, sent: { ...head, data: onDisk ? await put(Buffer.from(inMemory)) : inMemory } }
          }),
        )
        const bodies = [
          requestBody({ multipart: made.map((one) => one.sent) }, undefined, folder),
          requestBody({ multipart: made.map((one) => one.inMemory) }, undefined),
        ]
        const texts = await Promise.all(
          bodies.map(async ({ data: body, contentType }) => {
            const chunks: Buffer[] = []
            if (Buffer.isBuffer(body)) chunks.push(body)
            else if (body instanceof StreamedBody)
              for await (const chunk of body.open({ moved: () => undefined, rest: () => undefined }) as AsyncIterable<Buffer>)
                chunks.push(chunk)
            const all = Buffer.concat(chunks)
            if (body instanceof StreamedBody) expect(all.length).to.equal(body.length)
            return all.toString('latin1').replaceAll(contentType.split('boundary=')[1] ?? '', 'BOUNDARY')
          }),
        )
        expect(texts[0]).to.equal(texts[1])
      }),
      { numRuns: 60 },
    )
  })

  it('a kept-alive connection that has died is no matter: the file is read again; a call that acts once is not repeated', async () => {
    for (const once of [false, true]) {
      const bodies: Buffer[] = []
      const used = new WeakSet<Socket>()
      const server = await tcpServer((socket) => {
        let got = Buffer.alloc(0)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          if (used.has(socket)) return void socket.resetAndDestroy()
          got = Buffer.concat([got, chunk])
          const end = got.indexOf('\r\n\r\n')
          const length = Number(/content-length: (\d+)/i.exec(got.toString('latin1'))?.[1] ?? 0)
          if (end === -1 || got.length < end + 4 + length) return
          bodies.push(got.subarray(end + 4))
          used.add(socket)
          // An answer that comes before the client has done with its request costs the connection.
          void settle(20).then(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}'))
        })
      })
      servers.push(server)
      const file = await put(Buffer.from('all of the file'))
      const access = accessTo(server.url)
      const send = () =>
        kit.api.request(access, { path: '/', bytes: { data: file, contentType: 'text/plain' } }, cancelIn(), { once, files: folder })
      await send()
      await settle(10)
      if (once) expect(await faultOf(send())).to.include({ kind: 'broken', ambiguous: true })
      else await send()
      expect(bodies.map(String)).to.deep.equal(once ? ['all of the file'] : ['all of the file', 'all of the file'])
    }
  })

  it('a refusal before all was sent is what the vendor said, and the file is let go', async () => {
    const server = await httpServer((_request, response) => response.writeHead(413, { 'content-type': 'application/json' }).end('{}'))
    servers.push(server)
    const call = { path: '/', bytes: { data: await put(randomBytes(4 * MIB)), contentType: 'video/mp4' } }
    const fault = await faultOf(kit.api.request(accessTo(server.url), call, cancelIn(), { once: false, files: folder }))
    // The vendor may close the connection before its word is read.
    expect(['invalid 413', 'broken undefined']).to.include(`${fault.kind} ${String(fault.status)}`)
  })

  it('a file is read no faster than the vendor takes it', async () => {
    const held: IncomingMessage[] = []
    const server = await httpServer((request) => void held.push(request.pause()))
    servers.push(server)
    let read = 0
    const size = 64 * MIB
    const files = {
      size: () => size,
      read: async function* () {
        for (; read < size; read += 65_536) yield await Promise.resolve(Buffer.alloc(65_536))
      },
    }
    const cancel = cancelIn(60_000)
    const call = { path: '/', bytes: { data: { id: 'any', size }, contentType: 'video/mp4' } }
    const sent = errorOf(kit.api.request(accessTo(server.url), call, cancel, { once: false, files }))
    await until(() => held.length === 1, 5_000)
    for (let last = -1; last !== read; await settle(200)) last = read
    expect(read)
      .to.be.above(0)
      .and.below(32 * MIB)
    cancel.cancel('client-gone')
    await sent
  })

  it('silence of 30 seconds ends a transfer as busy, in either direction; waiting for the vendor does not', async () => {
    const clock = new HandClock()
    const own = outboundKit({ clock })
    let taken = 0
    let answer: () => unknown = () => undefined
    const server = await httpServer((request, response) => {
      if (request.url === '/stuck') return void request.once('data', () => (taken++, request.pause()))
      if (request.url === '/slow') return void request.resume().once('end', () => response.writeHead(200).write('begun'))
      request.resume().once('end', () => {
        taken = -1
        answer = () => response.setHeader('content-type', 'application/json').end('{}')
      })
    })
    servers.push(server)
    const cancel = new Cancel(clock, 3_600_000)
    const call = { path: '/stuck', bytes: { data: await put(randomBytes(32 * MIB)), contentType: 'video/mp4' } }
    const stuck = faultOf(own.api.request(accessTo(server.url), call, cancel, { once: false, files: folder }))
    await until(() => taken === 1, 5_000)
    await passing(clock, stuck, 5_000)
    expect(await stuck).to.include({ kind: 'busy', message: 'the vendor did not answer in time' })

    const reply = await own.api.stream(accessTo(server.url), { path: '/slow' }, cancel, { once: false, files: folder })
    if (!('body' in reply)) throw new Error('no body')
    const chunks: string[] = []
    const read = faultOf(
      (async () => {
        for await (const chunk of reply.body as AsyncIterable<Buffer>) chunks.push(chunk.toString())
      })(),
    )
    await until(() => chunks.length === 1, 5_000)
    await passing(clock, read, 5_000)
    expect(await read).to.include({ kind: 'busy' })

    const small = { path: '/works', bytes: { data: await put(Buffer.from('x')), contentType: 'video/mp4' } }
    const worked = own.api.request(accessTo(server.url), small, cancel, { once: false, files: folder })
    await until(() => taken === -1, 5_000)
    await new Promise<void>((resolve) => setImmediate(resolve))
    clock.advance(600_000)
    answer()
    expect((await worked).status).to.equal(200)
    await own.close()
  })

  it('a caller who leaves while a file is sent stops it, and the file is let go', async () => {
    const held: IncomingMessage[] = []
    const server = await httpServer((request) => void held.push(request.pause()))
    servers.push(server)
    const cancel = cancelIn(60_000)
    const call = { path: '/', multipart: [{ name: 'file', filename: 'a.bin', data: await put(randomBytes(32 * MIB)) }] }
    const sent = faultOf(kit.api.request(accessTo(server.url), call, cancel, { once: false, files: folder }))
    await until(() => held.length === 1, 5_000)
    cancel.cancel('client-gone')
    expect((await sent).kind).to.equal('busy')
    // A server that reads nothing gets no end event.
    held[0]?.resume()
    await until(() => server.open() === 0, 5_000)
  })

  it('a file of another call is a mistake of the adapter; for one that cannot be read no vendor is to blame', async () => {
    const server = await served([])
    const call = (data: ScratchFile) => ({ path: '/', bytes: { data, contentType: 'text/plain' } })
    const stranger = { id: '0'.repeat(32), size: 3 }
    expect(
      await errorOf(kit.api.request(accessTo(server.url), call(stranger), cancelIn(), { once: false, files: folder })),
    ).to.be.instanceOf(TypeError)
    const files = {
      size: () => 10,
      read: () => {
        throw new Error('EIO')
      },
    }
    const error = await errorOf(kit.api.request(accessTo(server.url), call(stranger), cancelIn(), { once: false, files }))
    expect(error).to.include({ name: 'Problem', slug: 'overloaded' })
  })
})

/** Moves a clock until the work has settled; fails when it has not within ten minutes of it. */
async function passing(clock: HandClock, work: Promise<unknown>, step: number): Promise<void> {
  let settled = false
  void work.then(() => (settled = true))
  for (let passed = 0; passed < 600_000 && !settled; passed += step) {
    clock.advance(step)
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

describe('outbound: replies that are streams', () => {
  let kit: OutboundKit
  const servers: Running[] = []
  beforeEach(() => {
    kit = outboundKit()
  })
  afterEach(async () => {
    await kit.close()
    for (const server of servers.splice(0)) await server.close()
  })
  const stream = async (raw: string, call: { maxBytes?: number } = {}) => {
    const server = await rawServer((socket) => socket.end(raw))
    servers.push(server)
    return kit.api.stream(accessTo(server.url), { path: '/file', ...call }, cancelIn(), { once: false })
  }
  const all = async (raw: string, call: { maxBytes?: number } = {}): Promise<string> => {
    const reply = await stream(raw, call)
    if (!('body' in reply)) throw new Error(reply.elsewhere)
    const chunks: Buffer[] = []
    for await (const chunk of reply.body as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('come whole, by length, in pieces, or until the connection ends', async () => {
    expect(await all('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabcde')).to.equal('abcde')
    expect(await all('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')).to.equal('abcde')
    expect(await all('HTTP/1.1 200 OK\r\n\r\nabcde')).to.equal('abcde')
  })

  for (const [title, raw, limit] of [
    ['shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nabcde'],
    ['without its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n'],
    ['of broken chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabcde\r\n0\r\n\r\n'],
    ['larger than is taken', 'HTTP/1.1 200 OK\r\n\r\nabcde', 4],
    ['of a larger length than is taken', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabcde', 4],
    ['of an unknown encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\n\r\nabcde'],
    ['of damaged gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nabcde'],
  ] as const)
    it(`T-27 one ${title} is broken`, async () => {
      expect((await faultOf(all(raw, limit === undefined ? {} : { maxBytes: limit }))).kind).to.equal('broken')
    })

  it('a status that is none of success is read as that of any reply', async () => {
    for (const [status, kind] of [
      [401, 'credentials'],
      [404, 'missing'],
      [429, 'busy'],
      [500, 'broken'],
    ] as const)
      expect((await faultOf(stream(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\n{}`))).kind).to.equal(kind)
  })

  it('come no faster than they are read', async () => {
    let sent = 0
    const server = await httpServer((_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (sent < 64 * MIB) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    servers.push(server)
    const reply = await kit.api.stream(accessTo(server.url), { path: '/', maxBytes: 64 * MIB }, cancelIn(60_000), { once: false })
    if (!('body' in reply)) throw new Error(reply.elsewhere)
    for (let last = -1; last !== sent; await settle(200)) last = sent
    expect(sent)
      .to.be.above(0)
      .and.below(32 * MIB)
    let got = 0
    for await (const chunk of reply.body as AsyncIterable<Buffer>) got += chunk.length
    expect(got).to.equal(64 * MIB)
  })

  it('a redirect to another origin is named and not followed', async () => {
    const reply = await stream('HTTP/1.1 302 Found\r\nlocation: https://storage.example/a?signature=1\r\ncontent-length: 0\r\n\r\n')
    expect(reply).to.deep.equal({ elsewhere: 'https://storage.example/a?signature=1' })
  })
})
