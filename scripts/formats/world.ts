import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'

export interface Direct {
  readonly to: string
  readonly engine: string
}

export interface Converted {
  readonly bytes: Buffer
  readonly engine: string
  readonly ms: number
  readonly name: string
}

/** A gateway with all engines of this machine, and a site with the files that it converts. */
export class FormatWorld {
  readonly #files = new Map<string, Uint8Array>()
  readonly #gateway: TestGateway
  readonly #site: Running
  readonly #key: string

  private constructor(gateway: TestGateway, site: Running, { key, files }: { key: string; files: Map<string, Uint8Array> }) {
    this.#gateway = gateway
    this.#site = site
    this.#key = key
    this.#files = files
  }

  static async start(): Promise<FormatWorld> {
    const files = new Map<string, Uint8Array>()
    const site = await httpServer((request, response) => response.end(files.get((request.url ?? '').slice(1))))
    const gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
    const { key } = await gateway.newAccount(1_000_000)
    return new FormatWorld(gateway, site, { key, files })
  }

  /** What every format can become in one step, with the engine that is asked first. */
  async pairs(): Promise<Map<string, Direct[]>> {
    const { formats } = await this.#list('')
    const all = new Map<string, Direct[]>()
    for (const { format, readable } of formats) {
      if (!readable) continue
      const [row] = (await this.#list(`?source=${format}`)).formats
      const direct = (row?.targets ?? []).flatMap(({ format: to, engines: [engine] }) => (engine === undefined ? [] : [{ to, engine }]))
      all.set(format, direct)
    }
    return all
  }

  /** Throws with the answer of the gateway. */
  async convert(data: Uint8Array, from: string, to: string): Promise<Converted> {
    const name = `sample-${String(this.#files.size)}.${from}`
    this.#files.set(name, data)
    const began = performance.now()
    const body = { file_url: `${this.#site.url}/${name}`, source_format: from, target_format: to }
    const reply = await this.#gateway.send('/v1/files/convert', { method: 'POST', body, key: this.#key })
    const ms = performance.now() - began
    if (reply.status !== 200) throw new Error(`${String(reply.status)} ${reply.text.slice(0, 400)}`)
    const { data: made, metadata } = reply.json<{
      data: { file_url: string; file_size: number; file_name: string }
      metadata: { provider_used: string }
    }>()
    const bytes = Buffer.from(await (await fetch(made.file_url)).arrayBuffer())
    if (bytes.length !== made.file_size) throw new Error(`file_size is ${String(made.file_size)}, the file has ${String(bytes.length)}`)
    return { bytes, engine: metadata.provider_used, ms, name: made.file_name }
  }

  async close(): Promise<void> {
    await this.#gateway.close()
    await this.#site.close()
  }

  async #list(query: string) {
    const reply = await this.#gateway.send(`/v1/files/formats${query}`, { key: this.#key })
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json<{ formats: { format: string; readable: boolean; targets: { format: string; engines: string[] }[] }[] }>()
  }
}
