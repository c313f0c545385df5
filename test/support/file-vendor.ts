import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { PluginFolder } from './loader.js'
import { index } from './loader-texts.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'

/** How the vendor goes wrong: where its storage takes a file and where it gives one back. */
export type FileTrouble = 'none' | 'hangs taking' | 'cuts taking' | 'hangs giving' | 'cuts giving' | 'expired' | 'a page' | 'a bomb'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat } from '${SDK}'
export const work = capability({
  id: 'work', path: '/v1/work', title: 'Work', description: 'Has a vendor work on a file.', price: flat(1), work: 'light', timeoutMs: 120_000,
  input: Type.Object({ size: Type.Integer({ description: 'Bytes.' }), way: Type.String({ description: 'form, put or raw.' }) }),
  output: Type.Object({ url: Type.String(), size: Type.Integer(), name: Type.String(), type: Type.String() }),
  examples: [{ title: 'One', params: { size: 1, way: 'put' } }],
})
`
const provider = `import { Fault, Type, poll, provider, vendor } from '${SDK}'
import { work } from '../contract.mjs'
const filer = vendor({ id: 'filer', title: 'Filer', needsUrl: true, secrets: { api_key: 'FILER_API_KEY' }, auth: (s) => ({ headers: { 'x-key': s('api_key') } }) })
const Job = Type.Object({ id: Type.String(), status: Type.String(), upload: Type.Optional(Type.String()), result: Type.Optional(Type.String()) })
async function* bytes(size) {
  const chunk = new Uint8Array(65_536).fill(97)
  for (let left = size; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk
}
export const p = provider(work, {
  vendor: filer,
  run: async ({ size, way }, ctx) => {
    const file = await ctx.scratch.write(bytes(size))
    const first = await ctx.api.json({ method: 'POST', path: '/jobs', json: { way } }, Job)
    const path = '/jobs/' + first.id
    const withdraw = ctx.cleanUp((own) => own.api.text({ method: 'DELETE', path }))
    const part = { data: file, contentType: 'application/octet-stream' }
    if (way === 'form') await ctx.api.text({ path: path + '/file', multipart: [{ name: 'file', filename: 'a.bin', ...part }] })
    else if (way === 'raw') await ctx.api.text({ path: path + '/file', bytes: part })
    else await ctx.api.upload(first.upload, { headers: { 'x-amz-acl': 'private' }, bytes: part })
    await ctx.scratch.remove(file)
    withdraw()
    const done = await poll(ctx, {
      ask: (own) => own.api.json({ path }, Job),
      read: (state) => state.status === 'failed' ? { state: 'failed', fault: new Fault('missing', 'no') } : state.status === 'done' ? { state: 'done', result: state } : { state: 'running' },
      cancel: (own) => own.api.text({ method: 'DELETE', path }),
      firstMs: 100,
    })
    const got = way === 'raw' ? await ctx.api.file({ path: path + '/result' }) : await ctx.api.download(done.result)
    const stored = await ctx.scratch.store(got.file, { name: got.name ?? 'result', contentType: got.contentType })
    return { url: stored.url, size: stored.size, name: got.name ?? '', type: got.contentType }
  },
})
`

/**
 * A vendor on loopback that takes a file, works on it as a job, and gives as many bytes back: through its own address, or through a storage at
 * another host (localhost) whose addresses its replies name.
 */
export class FileVendor {
  readonly #api: Running
  readonly #storage: Running
  readonly #plugins: PluginFolder
  trouble: FileTrouble = 'none'
  /** `METHOD /path` of each request, with whether it carried the key. */
  readonly requests: string[] = []
  /** Of the last file that was taken whole: its length, and SHA-256. */
  taken = { size: 0, sha256: '' }
  /** Bytes of the last file so far. */
  arrived = 0
  #polls = 0

  private constructor(api: Running, storage: Running, plugins: PluginFolder) {
    this.#api = api
    this.#storage = storage
    this.#plugins = plugins
  }

  static async start(): Promise<FileVendor> {
    let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
    const listener = (request: IncomingMessage, response: ServerResponse): void => answer(request, response)
    const plugins = await PluginFolder.make()
    await plugins.write('work', { 'index.mjs': index('work', '', SDK), 'contract.mjs': contract, 'providers/filer.mjs': provider })
    const made = new FileVendor(await httpServer(listener), await httpServer(listener), plugins)
    answer = (request, response) => made.#answer(request, response)
    return made
  }

  /** Its settings for a gateway. */
  get env(): Record<string, string> {
    return {
      CAPSTAN_PLUGINS: this.#plugins.path,
      CAPSTAN_VENDOR_FILER_URL: this.#api.url,
      FILER_API_KEY: 'key-of-the-filer',
      CAPSTAN_ALLOW_PRIVATE: `localhost:${String(this.#storage.port)}`,
    }
  }

  async close(): Promise<void> {
    await this.#api.close()
    await this.#storage.close()
    await this.#plugins.remove()
  }

  /** Connections open now. */
  open(): number {
    return this.#api.open() + this.#storage.open()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    this.requests.push(`${method} ${url.split('?')[0] ?? ''}${headers['x-key'] === undefined ? '' : ' signed'}`)
    if (url.endsWith('/file') || url.startsWith('/bucket/in')) return this.#take(request, response)
    if (url.endsWith('/result') || url.startsWith('/bucket/out')) return this.#give(response)
    request.resume()
    if (method === 'POST') this.#polls = 0
    const status = method === 'GET' && this.#polls++ > 0 ? 'done' : 'working'
    const bucket = `http://localhost:${String(this.#storage.port)}/bucket`
    const job = { id: '7', status, upload: `${bucket}/in?signature=abc`, result: `${bucket}/out?signature=abc` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job))
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const hash: Hash = createHash('sha256')
    this.arrived = 0
    request.on('data', (chunk: Buffer) => {
      this.arrived += chunk.length
      hash.update(chunk)
      if (this.trouble === 'hangs taking') request.pause()
      if (this.trouble === 'cuts taking') request.socket.destroy()
    })
    request.on('end', () => {
      const length = Number(request.headers['content-length'])
      if (length !== this.arrived || request.headers['transfer-encoding'] !== undefined) return response.writeHead(411).end()
      this.taken = { size: this.arrived, sha256: hash.digest('hex') }
      response.writeHead(200).end()
    })
  }

  #give(response: ServerResponse): void {
    const { size } = this.taken
    if (this.trouble === 'expired') return void response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>')
    if (this.trouble === 'a page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sorry')
    const encoding = this.trouble === 'a bomb' ? { 'content-encoding': 'gzip' } : { 'content-length': String(size) }
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="../re sult.bin"; filename*=UTF-8''r%C3%A9sult.bin`,
      ...encoding,
    })
    if (this.trouble === 'a bomb') return void response.end(BOMB)
    const chunk = Buffer.alloc(65_536, 98)
    let left = size
    const more = (): void => {
      while (left > 0) {
        if (left < size / 2 && this.trouble === 'hangs giving') return
        if (left < size / 2 && this.trouble === 'cuts giving') return void response.destroy()
        const piece = left < chunk.length ? chunk.subarray(0, left) : chunk
        left -= piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
}

/** 64 MiB of one byte, packed (RFC 1952): more than a hundredfold. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024))
