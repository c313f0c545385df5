import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { ModelServer, type ModelAsked, type ModelSays } from './model-server.js'

/** An answer of the capability. */
export interface Extracted {
  readonly data: { extracted: Record<string, unknown>; source_url: string | null; content_length: number; truncated: boolean }
  readonly metadata: { notes?: string[]; provider_used: string; providers_tried: string[] }
}

/** A gateway with the bundled plugins, a model server that gives scripted replies, and a site that serves what the test puts there. */
export class ExtractStage {
  /** Paths requested from the site, with their host. */
  readonly fetched: string[] = []
  readonly files = new Map<string, { readonly type: string; readonly body: string | Uint8Array; readonly status?: number }>()
  #gateway: TestGateway | null = null
  #key = ''
  #site: Running | null = null
  readonly #model: ModelServer

  private constructor(model: ModelServer) {
    this.#model = model
  }

  get asked(): readonly ModelAsked[] {
    return this.#model.asked
  }

  /** Questions that hang now. */
  get hanging(): number {
    return this.#model.hanging
  }

  set says(says: (request: ModelAsked) => ModelSays) {
    this.#model.says = says
  }

  /** `model: false` configures none. */
  static async start({ model = true, file }: { model?: boolean; file?: string } = {}): Promise<ExtractStage> {
    const stage = new ExtractStage(await ModelServer.start())
    stage.#site = await httpServer((request, response) => {
      const path = request.url ?? '/'
      stage.fetched.push(`${request.headers.host ?? ''}${path}`)
      const file = stage.files.get(path)
      response.writeHead(file === undefined ? 404 : (file.status ?? 200), { 'content-type': file?.type ?? 'text/plain' })
      response.end(file?.body ?? 'nothing here')
    })
    stage.#gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env: {
        CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(stage.#site.port)}`,
        ...(model ? stage.#model.env : {}),
      },
    })
    stage.#key = (await stage.#gateway.newKey()).key
    return stage
  }

  get gateway(): TestGateway {
    if (this.#gateway === null) throw new Error('the stage is not started')
    return this.#gateway
  }

  /** Puts a file on the site; answers its address. */
  put(path: string, body: string | Uint8Array, { type = 'text/html; charset=utf-8', status = 200 } = {}): string {
    this.files.set(path, { type, body, status })
    return `${this.#site?.url ?? ''}${path}`
  }

  /** The answer of a call that must succeed. */
  async extracted(body: Record<string, unknown>): Promise<Extracted> {
    const reply = await this.extract(body)
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json<Extracted>()
  }

  async extract(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Reply> {
    return await this.gateway.send('/v1/documents/extract', { method: 'POST', body, headers, key: this.#key })
  }

  clear(): void {
    this.#model.asked.length = 0
    this.fetched.length = 0
    this.files.clear()
    this.says = () => ({ status: 500 })
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    await this.#site?.close()
    await this.#model.close()
  }
}
