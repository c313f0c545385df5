import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from '../gateway.js'
import { TemporaryFolder } from '../store.js'

interface Answer {
  readonly file_name: string
  readonly file_size: number
  readonly file_url: string
}

/** What a conversion gave. */
export interface Converted {
  readonly name: string
  readonly bytes: Buffer
  /** The vendor that made it. */
  readonly engine: string
  readonly ms: number
  readonly notes: readonly string[]
}

interface Source {
  readonly data: string | Uint8Array
  readonly from: string
  readonly to: string
  /** Last part of the address. */
  readonly name?: string
}

/** A gateway with the bundled plugins and a site with the files to convert; other requests to the site are counted. */
export class ConversionWorld {
  /** Requested addresses that no test has put there. */
  readonly hits: string[] = []
  readonly #files = new Map<string, string | Uint8Array>()
  readonly #usual = tmpdir()
  readonly #temporary = new TemporaryFolder()
  #site: Running | undefined
  #gateway: TestGateway | undefined
  #key = ''
  #count = 0

  /** With `engines` only those vendors are used, in this order. */
  static async start(...engines: readonly string[]): Promise<ConversionWorld> {
    const world = new ConversionWorld()
    await chmod(world.folder, 0o711)
    process.env['TMPDIR'] = world.folder
    world.#site = await httpServer((request, response) => {
      const path = request.url ?? ''
      const data = world.#files.get(path)
      if (data === undefined) world.hits.push(path)
      response.statusCode = data === undefined ? 404 : 200
      response.end(data)
    })
    const order = engines.length === 0 ? {} : { CAPSTAN_WATERFALL_FILES_CONVERT: engines.join(',') }
    world.#gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${world.#site.port}`, ...order } })
    const { id } = await world.#gateway.newAccount(1_000_000)
    world.#key = (await world.#gateway.newKey({}, id)).key
    return world
  }

  /** Where the gateway keeps files of calls. */
  get folder(): string {
    return this.#temporary.path
  }

  get url(): string {
    return this.#site?.url ?? ''
  }

  async ask({ data, from, to, name = `source-${String(++this.#count)}.${from}` }: Source): Promise<Reply> {
    const path = `/${name}`
    this.#files.set(path, data)
    const input = { file_url: `${this.url}${path}`, source_format: from, target_format: to }
    const reply = await this.#gateway?.send('/v1/files/convert', { method: 'POST', body: input, key: this.#key })
    this.#files.delete(path)
    if (reply === undefined) throw new Error('the gateway has not started')
    return reply
  }

  /** The result of a conversion; throws with what the gateway said where there is none. */
  async convert(source: Source): Promise<Converted> {
    const began = performance.now()
    const reply = await this.ask(source)
    const ms = performance.now() - began
    if (reply.status !== 200) throw new Error(`${source.from} to ${source.to}: ${String(reply.status)} ${reply.text}`)
    const { data, metadata } = reply.json<{ data: Answer; metadata: { provider_used: string; notes?: string[] } }>()
    const bytes = Buffer.from(await (await fetch(data.file_url)).arrayBuffer())
    return { name: data.file_name, bytes, engine: metadata.provider_used, ms, notes: metadata.notes ?? [] }
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    await this.#site?.close()
    process.env['TMPDIR'] = this.#usual
    this.#temporary.remove()
  }
}
