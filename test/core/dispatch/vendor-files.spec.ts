import { expect } from 'chai'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { systemClock } from '../../../core/runtime/clock.js'
import { namedAddresses } from '../../../core/dispatch/named-addresses.js'
import { vendorFilesOf } from '../../../core/dispatch/vendor-files.js'
import { kindOf } from '../../../core/files/expected-kind.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import type { VendorAccess } from '../../../core/sdk/host.js'
import { Type, vendor, type VendorFiles } from '../../../core/sdk/index.js'
import { accessTo, cancelIn, faultOf, HandClock, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { echo, httpProvider, loadedProvider } from '../../support/test-plugin.js'
import { bench, errorOf, settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const signed = {
  id: 'acme',
  title: 'Acme',
  headers: { 'x-client': 'ours' },
  secrets: { api_key: 'ACME_API_KEY' },
  auth: (secret: (name: string) => string) => ({ headers: { authorization: secret('api_key') }, query: { key: secret('api_key') } }),
}
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n')
const PAGE = Buffer.from('\n <!-- x --> <!DOCTYPE html><html></html>')

describe('files from a vendor and to where its replies point', () => {
  let kit: OutboundKit
  let folder: ScratchFolder
  const servers: Running[] = []
  beforeEach(() => {
    folder = new ScratchFolder(1_000_000)
  })
  afterEach(async () => {
    await kit.close()
    for (const server of servers.splice(0)) await server.close()
    await folder.close()
  })
  const serve = async (listener: RequestListener): Promise<Running> => {
    const server = await httpServer(listener)
    servers.push(server)
    return server
  }
  const filesOf = (access: VendorAccess, allow: readonly string[] = [], once = false): VendorFiles => {
    kit = outboundKit({ allow })
    const { api, web } = kit
    const cancel = cancelIn()
    return vendorFilesOf({
      folder: () => folder,
      once,
      stream: (call) => api.stream(access, call, cancel, { once, files: folder }),
      named: namedAddresses({ access, api, web, cancel, clock: systemClock, files: () => folder, once }),
      kindOf,
    })
  }
  /** The vendor answers every request with these bytes. */
  const giving = async (body: Buffer, headers: Record<string, string> = {}): Promise<VendorFiles> => {
    const server = await serve((_request, response) => response.writeHead(200, headers).end(body))
    return filesOf(accessTo(server.url))
  }
  const text = async (file: Parameters<ScratchFolder['read']>[0]): Promise<string> => {
    let all = ''
    for await (const chunk of folder.read(file)) all += Buffer.from(chunk).toString('latin1')
    return all
  }

  describe('what a file is', () => {
    const table: [string, Buffer, string, readonly string[] | undefined, boolean][] = [
      ['a PDF', PDF, 'application/pdf', ['application/pdf'], true],
      ['a PDF without a type', PDF, '', ['application/pdf'], true],
      ['a PDF under a wrong type', PDF, 'image/png', ['application/pdf'], true],
      ['a PDF where a picture is due', PDF, 'image/png', ['image/*'], false],
      ['JSON where a PDF is due', Buffer.from('{"error":"no"}'), 'application/json', ['application/pdf'], false],
      ['a page where a PDF is due', PAGE, 'application/pdf', ['application/pdf'], false],
      ['a page where nothing is said', PAGE, 'application/octet-stream', undefined, false],
      ['text called a page where nothing is said', Buffer.from('a,b'), 'text/html; charset=utf-8', undefined, false],
      ['a page where a page is due', PAGE, 'text/html', ['text/html'], true],
      ['captions as plain text', Buffer.from('1\n00:00'), 'text/plain', ['application/x-subrip', 'text/vtt'], true],
      ['a table under another type', Buffer.from('a,b'), 'application/json', ['text/csv'], false],
      ['sound in a container of film', Buffer.from('1A45DFA3934282847765626D', 'hex'), 'audio/webm', ['audio/webm'], true],
      ['anything else where nothing is said', Buffer.from('a,b'), 'text/csv', undefined, true],
    ]
    for (const [title, body, type, kinds, good] of table)
      it(`${title} is ${good ? 'taken' : 'broken, and nothing is left of it'}`, async () => {
        const files = await giving(body, type === '' ? {} : { 'content-type': type })
        const options = kinds === undefined ? {} : { kinds }
        if (good) expect(await text((await files.file({ path: '/' }, options)).file)).to.equal(body.toString('latin1'))
        else {
          expect((await faultOf(files.file({ path: '/' }, options))).kind).to.equal('broken')
          folder.assertRoom(1_000_000)
        }
      })

    it('an empty one is broken', async () => {
      expect((await faultOf((await giving(Buffer.alloc(0))).file({ path: '/' }))).kind).to.equal('broken')
    })

    it('B6 one larger than requested, or than a call may have, is broken: the vendor made it', async () => {
      const files = await giving(Buffer.alloc(1_000_001))
      expect(await faultOf(files.file({ path: '/' }, { maxBytes: 10 }))).to.include({ kind: 'broken' })
      const fault = await faultOf(files.file({ path: '/' }))
      expect([fault.kind, fault.message]).to.deep.equal(['broken', 'the vendor answered with a file that is too large'])
      folder.assertRoom(1_000_000)
    })

    it('B6 one without an end is broken, and the vendor is left', async () => {
      const server = await serve((_request, response) => {
        const piece = Buffer.alloc(64 * 1024, 'a')
        const go = (): void => {
          while (!response.destroyed && response.write(piece));
        }
        response.on('drain', go)
        go()
      })
      const files = filesOf(accessTo(server.url), [])
      for (const load of [() => files.file({ path: '/' }), () => files.download(`${server.url}/`)])
        expect((await faultOf(load())).kind).to.equal('broken')
      await until(() => server.open() === 0, 5_000)
      folder.assertRoom(1_000_000)
    })

    it('B6 one for which the files of the call leave too little room suspends nobody: another vendor may answer with a smaller one', async () => {
      const own = await folder.write([Buffer.alloc(900_000)])
      const fault = await faultOf((await giving(Buffer.alloc(200_000))).file({ path: '/' }))
      expect([fault.kind, fault.status, fault.message]).to.deep.equal([
        'invalid',
        413,
        'The files of this call are larger than 1000000 bytes together (limits.scratch).',
      ])
      await folder.remove(own)
    })

    it('one whose server names a length for which there is no room is not waited for, and the connection ends', async () => {
      const server = await serve((_request, response) => response.writeHead(200, { 'content-length': '1000001' }).write('a'))
      for (const own of [true, false]) {
        const files = filesOf(accessTo(own ? server.url : 'http://127.0.0.9'), [`localhost:${server.port}`])
        const requested = own
          ? [files.file({ path: '/' }), files.download(`${server.url}/`)]
          : [files.download(`http://localhost:${server.port}/`)]
        for (const each of requested) expect((await faultOf(each)).internal).to.contain('limits.scratch')
        await until(() => server.open() === 0, 5_000)
        if (own) await kit.close()
      }
    })

    it('its name is safe, in both forms, and null where there is none that can be read', async () => {
      for (const [header, name] of [
        [`attachment; filename="../../etc/pass wd"`, 'pass wd'],
        [`attachment; filename="a.pdf"; filename*=UTF-8''%e2%82%ac.pdf`, '€.pdf'],
        ['attachment; filename=', null],
        ['inline', null],
      ] as const) {
        const files = await giving(PDF, { 'content-disposition': header })
        expect((await files.file({ path: '/' })).name).to.equal(name)
        await kit.close()
      }
    })
  })

  describe('an address that a reply gave', () => {
    const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
    const answering = (status: number, headers: Record<string, string> = {}) =>
      serve((request, response: ServerResponse) => {
        let body = ''
        request.on('data', (chunk: Buffer) => (body += chunk.toString()))
        request.on('end', () => {
          seen.push({ url: request.url ?? '', headers: request.headers, body })
          response.writeHead(status, headers).end('the reply')
        })
      })
    beforeEach(() => void seen.splice(0))

    it('T-28 gets the query as given and none of our credentials or headers, fetched, sent to or redirected to', async () => {
      const storage = await answering(200, { etag: '"x"' })
      const address = `http://localhost:${storage.port}/a/b%2Fc?X-Amz-Signature=1%2B1&x=`
      const api = await serve((_request, response) => response.writeHead(302, { location: address }).end())
      const files = filesOf(accessTo(api.url, signed), [`localhost:${storage.port}`])
      const { file } = await files.download(address)
      await files.file({ path: '/content' })
      const bytes = { data: file, contentType: '' }
      const { status, headers, text: said } = await files.upload(address, { headers: { 'x-amz-acl': 'private', host: 'evil' }, bytes })
      expect([status, headers['etag'], said]).to.deep.equal([200, '"x"', 'the reply'])
      await files.upload(address, {
        multipart: [
          { name: 'key', data: 'k' },
          { name: 'file', filename: 'f', data: file },
        ],
      })
      expect(seen.map(({ url }) => url)).to.deep.equal(Array(4).fill('/a/b%2Fc?X-Amz-Signature=1%2B1&x='))
      expect(JSON.stringify(seen)).not.to.contain('canary').and.not.to.contain('x-client')
      expect(seen[2]?.body).to.equal('the reply')
      expect(seen[2]?.headers).to.include({ 'content-length': '9', 'x-amz-acl': 'private', host: `localhost:${storage.port}` })
      expect(seen[2]?.headers).not.to.have.any.keys('content-type', 'transfer-encoding')
    })

    it('T-15 that is not public is broken and not fetched, also behind a redirect', async () => {
      const inner = await answering(200)
      const storage = await serve((_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end())
      const access = { ...accessTo('https://api.acme.example'), operatorUrl: false }
      const files = filesOf(access, [`localhost:${storage.port}`])
      for (const address of [
        `http://127.0.0.1:${inner.port}/`,
        'http://169.254.169.254/',
        'file:///etc/passwd',
        '',
        `http://localhost:${storage.port}/`,
      ]) {
        expect((await faultOf(files.download(address))).kind, address).to.equal('broken')
        expect((await faultOf(files.upload(address, { bytes: { data: PDF, contentType: '' } }))).kind, address).to.equal('broken')
      }
      expect(seen).to.deep.equal([])
    })

    it("on the operator's own host is reached there, unsigned; on another private host it is not", async () => {
      const own = await answering(200)
      const files = filesOf(accessTo(own.url, signed))
      await files.download(`${own.url}/file?token=1`)
      await files.upload(`${own.url}/in?token=2`, { bytes: { data: PDF, contentType: 'application/pdf' } })
      expect(seen.map(({ url }) => url)).to.deep.equal(['/file?token=1', '/in?token=2'])
      expect(JSON.stringify(seen)).not.to.contain('canary')
      expect((await faultOf(files.download('http://127.0.0.2:1/'))).kind).to.equal('broken')
    })

    for (const [status, download, upload] of [
      [301, 'broken', 'broken'],
      [400, 'broken', 'invalid'],
      [401, 'broken', 'broken'],
      [403, 'broken', 'broken'],
      [404, 'broken', 'broken'],
      [410, 'broken', 'broken'],
      [413, 'broken', 'invalid'],
      [429, 'busy', 'busy'],
      [500, 'broken', 'broken'],
      [503, 'busy', 'busy'],
    ] as const)
      it(`status ${status} is ${download}, and ${upload} for what was sent; the same on the operator's host`, async () => {
        const storage = await answering(status)
        for (const host of ['localhost', '127.0.0.1']) {
          const files = filesOf(accessTo(host === 'localhost' ? 'http://127.0.0.9' : storage.url), [`localhost:${storage.port}`])
          const address = `http://${host}:${storage.port}/`
          const [got, sent] = [
            await faultOf(files.download(address)),
            await faultOf(files.upload(address, { bytes: { data: PDF, contentType: '' } })),
          ]
          expect([got.kind, sent.kind, got.status, sent.status]).to.deep.equal([download, upload, status, status])
          if (host === 'localhost') await kit.close()
        }
      })

    it('with nobody there it is broken, for a port that acts once ambiguous', async () => {
      const files = filesOf(accessTo('http://127.0.0.9'), ['localhost:1'], true)
      expect(await faultOf(files.upload('http://localhost:1/', { bytes: { data: PDF, contentType: '' } }))).to.include({
        kind: 'broken',
        ambiguous: true,
      })
    })
  })
})

describe('a plain HTTP provider that sends a file', () => {
  it('has ten seconds without a byte on its way, not ten in all', async () => {
    const clock = new HandClock()
    const held: IncomingMessage[] = []
    const server = await httpServer((request) => void held.push(request.pause()))
    const contribution = httpProvider(echo, {
      vendor: vendor({ id: 'filer', title: 'Filer' }),
      request: ({ text: id }) => ({ path: '/', bytes: { data: { id, size: 0 }, contentType: 'video/mp4' } }),
      reply: Type.Object({}),
      map: () => ({ text: 'sent' }),
    })
    const kit = bench({ more: [loadedProvider(contribution, { baseUrl: server.url })] }, { clock })
    const folder = new ScratchFolder(65 << 20)
    const { environment } = kit
    const call = kit.call(600_000)
    const { id } = await call.scratch(() => folder).write([Buffer.alloc(64 << 20)])
    let over = false
    const failed = errorOf(
      environment.ports.invoke({ call, cancel: call.cancel, depth: 0, portId: 'test.echo', given: { text: id }, only: undefined }),
    )
    void failed.then(() => (over = true))
    await until(() => held.length === 1, 5_000)
    // So long as the vendor takes a piece now and then, it goes on.
    let taken = 0
    held[0]?.on('data', (chunk: Buffer) => (taken += chunk.length)).pause()
    for (let step = 0; step < 5; step++) {
      const before = taken
      held[0]?.resume()
      await until(() => taken > before + (4 << 20), 5_000)
      held[0]?.pause()
      await settle(20)
      clock.advance(9_000)
    }
    await settle(20)
    expect(over).to.equal(false)
    clock.advance(20_000)
    clock.advance(20_000)
    expect(await failed).to.include({ kind: 'busy', message: 'The provider took too long.' })
    held[0]?.resume()
    await kit.close()
    await server.close()
    await folder.close()
  })
})
