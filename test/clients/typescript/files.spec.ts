import { expect } from 'chai'
import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { APIConnectionError, CapstanError, type FileInput } from '../../../clients/typescript/src/index.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { until } from '../../support/time.js'
import { storedFiles } from '../../support/upload.js'
import { Answering, clientOf, hangUp, page, result, spawned, thrown, type Say } from './support.js'

const LARGE_BYTES = 100 * 1024 * 1024
/** What a client may hold of it, over what it has at rest: V8 frees buffers that were sent when some 32 MiB of them are there. */
const MOST_BYTES = 64 * 1024 * 1024
const TEXT = 'Größe: 7 Äpfel\n'

describe('the TypeScript client: files', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let server: Answering
  let folder: string
  before(async () => {
    gateway = await startGateway({ script: { 'test.echo': [new Stage().vendor('one')] } })
    server = await Answering.start()
    folder = await mkdtemp(join(tmpdir(), 'capstan-client-'))
    await writeFile(join(folder, 'Äpfel 7.txt'), TEXT)
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await server.close()
    await gateway.close()
  })
  const path = () => join(folder, 'Äpfel 7.txt')
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

  it('a path, a file address, bytes, a Blob, a File and what openAsBlob opens are uploaded byte for byte', async () => {
    const bytes = Buffer.from(TEXT)
    const files: readonly (readonly [FileInput, string])[] = [
      [path(), 'Äpfel 7.txt'],
      [pathToFileURL(path()), 'Äpfel 7.txt'],
      [pathToFileURL(path()).href, 'Äpfel 7.txt'],
      [bytes, 'file'],
      [new Uint8Array(bytes).buffer, 'file'],
      [new Blob([bytes]), 'file'],
      [new File([bytes], 'a "b".txt'), 'a _b_.txt'],
      [await openAsBlob(path()), 'file'],
    ]
    for (const [file, name] of files) {
      const uploaded = await clientOf(gateway).upload(file)
      expect(uploaded).to.include({ file_name: name, file_size: bytes.length })
      expect(await bytesAt(uploaded.file_url), name).to.deep.equal(bytes)
    }
  })

  it('a *_url parameter that is a file is uploaded first, and the call gets its link', async () => {
    const sent: Say = (response, request) =>
      request.path === '/v1/files' ? result({ file_url: 'https://example.com/up' })(response, request) : result({})(response, request)
    const client = server.client()
    for (const file of [path(), new Blob(['x']), pathToFileURL(path())]) {
      server.says(sent)
      await client.invoices.parse({ document_url: file })
      expect(server.requests.map((request) => request.path)).to.deep.equal(['/v1/files', '/v1/invoices/parse'])
      expect(server.requests[0]?.headers)
        .to.have.property('content-type')
        .that.matches(/^multipart\/form-data; boundary=/)
      expect(server.requests[0]?.headers).not.to.have.any.keys('idempotency-key', 'prefer')
      expect(server.requests[1]?.body).to.equal('{"document_url":"https://example.com/up"}')
    }
  })

  it('with localFiles: false a text is never read as a path, and bytes are still uploaded', async () => {
    const client = server.client({ localFiles: false })
    for (const text of [path(), pathToFileURL(path()).href]) {
      server.says(result({}))
      await client.invoices.parse({ document_url: text })
      expect(server.requests.map((request) => request.path)).to.deep.equal(['/v1/invoices/parse'])
      expect(server.requests[0]?.body).to.equal(JSON.stringify({ document_url: text }))
    }
    server.says(result({ file_url: 'https://example.com/up' }), result({}))
    await client.invoices.parse({ document_url: new Blob(['x']) })
    expect(server.requests.map((request) => request.path)).to.deep.equal(['/v1/files', '/v1/invoices/parse'])
  })

  it('the file is uploaded once where the call is repeated, and the link stays the same', async () => {
    const tries: Say[] = [result({ file_url: 'https://example.com/up' }), hangUp, result({})]
    server.says(...tries)
    await server.client().invoices.parse({ document_url: path() })
    expect(server.requests.map((request) => request.path)).to.deep.equal(['/v1/files', '/v1/invoices/parse', '/v1/invoices/parse'])
  })

  it('an upload that breaks is begun again from its first byte', async () => {
    server.says(hangUp, result({ file_url: 'https://example.com/up' }))
    expect((await server.client().upload(path())).file_url).to.equal('https://example.com/up')
    expect(server.requests.map(({ body }) => body.includes(TEXT))).to.deep.equal([true, true])
  })

  it('addresses, also without a scheme, and other parameters are sent as they are', async () => {
    const client = server.client()
    for (const params of [
      { document_url: 'https://example.com/a.pdf' },
      { linkedin_url: 'www.linkedin.com/in/ada-lovelace' },
      { document_url: new URL('https://example.com/b.pdf') },
      { url: path() },
      { reference_image_url: null },
    ]) {
      server.says(result({}))
      await client.run('brand.new', params)
      expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([
        { capability: 'brand.new', params: JSON.parse(JSON.stringify(params)) as unknown },
      ])
    }
  })

  it('a file that is not there, or is a folder, is an error that names the parameter, before anything is sent', async () => {
    server.says(result({}))
    for (const [file, why] of [
      [join(folder, 'none.pdf'), 'ENOENT'],
      ['none.pdf', 'ENOENT'],
      [folder, 'not a regular file'],
    ] as const) {
      const error = await thrown(server.client().invoices.parse({ document_url: file }))
      expect(error).to.be.instanceOf(CapstanError)
      expect(String(error)).to.include('document_url').and.include(JSON.stringify(file)).and.include(why)
    }
    expect(server.requests).to.have.length(0)
  })

  it('the refusal of an upload is its error: a wrong key, and a file above the limit', async () => {
    const small = await startGateway({ env: { CAPSTAN_LIMIT_UPLOAD: '1024' } })
    try {
      const wrong = clientOf(small, { apiKey: `cap_${'x'.repeat(40)}`, maxRetries: 0 })
      expect(await thrown(wrong.upload(new Uint8Array(3_000_000)))).to.have.property('slug', 'invalid-api-key')
      expect(await thrown(clientOf(small, { maxRetries: 0 }).upload(new Uint8Array(3_000_000)))).to.have.property(
        'slug',
        'payload-too-large',
      )
    } finally {
      await small.close()
    }
  })

  it('an abort ends an upload, and the gateway keeps nothing of it', async () => {
    const before = storedFiles(gateway.folder)
    const controller = new AbortController()
    let sent = 0
    const endless = {
      size: 1e9,
      arrayBuffer: () => undefined,
      stream: () =>
        new ReadableStream({
          pull: (stream) => {
            stream.enqueue(new Uint8Array(65_536))
            if (++sent === 20) controller.abort(new RangeError('enough'))
          },
        }),
    }
    expect(await thrown(clientOf(gateway).upload(endless as unknown as Blob, { signal: controller.signal }))).to.be.instanceOf(RangeError)
    expect(sent).to.be.below(100)
    await until(() => storedFiles(gateway.folder).length === before.length)
    expect(storedFiles(gateway.folder)).to.have.members(before)
  })

  it('a download is saved at a path or into a stream, without the key', async () => {
    const { file_url: link } = await clientOf(gateway).upload(path())
    const to = join(folder, 'saved.txt')
    const { size, content_type: type } = await clientOf(gateway).download(link, to)
    expect(size).to.equal(Buffer.byteLength(TEXT))
    expect(type).to.match(/^text\/plain/)
    expect(await readFile(to, 'utf8')).to.equal(TEXT)
    const pieces: Uint8Array[] = []
    const into = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
    expect(await clientOf(gateway).download(new URL(link), into)).to.include({ size: Buffer.byteLength(TEXT) })
    expect(Buffer.concat(pieces).toString()).to.equal(TEXT)
    server.says((response) => response.end('x'))
    await server.client().download(`${server.url}/file`, pathToFileURL(to))
    expect(server.requests[0]?.headers).not.to.have.property('authorization')
    expect(await readFile(to, 'utf8')).to.equal('x')
  })

  it('a download that breaks is begun again; a file appears when it is whole, and nothing is left of one that never is', async () => {
    const inside = join(folder, 'downloads')
    await mkdir(inside)
    const broken: Say = (response) =>
      void response.writeHead(200, { 'content-length': '100' }).write('the beginning', () => void response.destroy())
    server.says(broken, (response) => response.end('the whole'))
    await server.client().download(`${server.url}/file`, join(inside, 'a.txt'))
    expect(await readFile(join(inside, 'a.txt'), 'utf8')).to.equal('the whole')
    server.says(broken)
    expect(await thrown(server.client({ maxRetries: 1 }).download(`${server.url}/file`, join(inside, 'a.txt')))).to.be.instanceOf(
      APIConnectionError,
    )
    expect(server.requests).to.have.length(2)
    server.says(page(404, 'Not found'))
    expect(await thrown(server.client().download(`${server.url}/file`, join(inside, 'a.txt')))).to.have.property('status', 404)
    expect(await readdir(inside)).to.deep.equal(['a.txt'])
    expect(await readFile(join(inside, 'a.txt'), 'utf8')).to.equal('the whole')
  })

  it('a stream that was given a part gets no second beginning', async () => {
    server.says((response) => void response.writeHead(200, { 'content-length': '100' }).write('part', () => void response.destroy()))
    let aborted: unknown
    const into = new WritableStream<Uint8Array>({ abort: (reason) => void (aborted = reason) })
    const error = await thrown(server.client().download(`${server.url}/file`, into))
    expect(error).to.be.instanceOf(APIConnectionError).and.equal(aborted)
    expect(server.requests).to.have.length(1)
  })

  for (const how of ['path', 'blob'] as const)
    it(`100 MB by ${how} are uploaded in bounded memory`, async () => {
      const file = join(folder, `large ${how}`)
      const handle = await open(file, 'w')
      await handle.truncate(LARGE_BYTES)
      await handle.close()
      const source = new URL('../../../clients/typescript/src/index.js', import.meta.url).href
      const program = `
        import { openAsBlob } from 'node:fs'
        import { Capstan } from ${JSON.stringify(source)}
        const client = new Capstan()
        await client.upload(new Uint8Array(1000))
        const rest = process.memoryUsage().rss
        let most = rest
        const timer = setInterval(() => { most = Math.max(most, process.memoryUsage().rss) }, 5)
        const file = ${JSON.stringify(file)}
        const { file_size } = await client.upload(${how === 'path' ? 'file' : 'await openAsBlob(file)'})
        clearInterval(timer)
        console.log(JSON.stringify({ size: file_size, grown: most - rest }))`
      const { size, grown } = JSON.parse(await printed(program)) as { size: number; grown: number }
      expect(size).to.equal(LARGE_BYTES)
      expect(grown).to.be.below(MOST_BYTES)
      await rm(file)
    })

  /** What a program of its own process prints, with a key of the gateway. */
  async function printed(program: string): Promise<string> {
    const env = { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key }
    const { out, err } = await spawned(['--input-type=module', '--eval', program], { cwd: packageRoot(), env })
    if (err !== '') throw new Error(err)
    return out
  }
})
