import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'

/** What a model was asked: the words of the prompt, with schema and document. */
export interface ModelAsked {
  readonly text: string
  readonly system: string
  /** The schema that the vendor was sent, when it was sent one. */
  readonly schema: unknown
}

/** What a model says: a value that becomes JSON, a text as it is, a status, or nothing at all. */
export type ModelSays = { readonly json: unknown } | { readonly text: string } | { readonly status: number } | 'hang'

interface Body {
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly { readonly type: string; readonly text?: string }[]
  }[]
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } }
}

/** An answer of the capability. */
export interface Extracted {
  readonly data: { extracted: Record<string, unknown>; source_url: string | null; content_length: number; truncated: boolean }
  readonly metadata: { notes?: string[]; provider_used: string; providers_tried: string[] }
}

/** A gateway with the bundled plugins, a model server that says what the test tells it, and a site that serves what the test puts there. */
export class ExtractStage {
  readonly asked: ModelAsked[] = []
  /** Paths that the site was asked for, with their host. */
  readonly fetched: string[] = []
  readonly files = new Map<string, { readonly type: string; readonly body: string | Uint8Array; readonly status?: number }>()
  /** Questions that hang now. */
  hanging = 0
  says: (asked: ModelAsked) => ModelSays = () => ({ status: 500 })
  #gateway: TestGateway | null = null
  #key = ''
  #site: Running | null = null
  #model: Running | null = null

  /** `model: false` configures none. */
  static async start({ model = true, file }: { model?: boolean; file?: string } = {}): Promise<ExtractStage> {
    const stage = new ExtractStage()
    stage.#site = await httpServer((request, response) => {
      const path = request.url ?? '/'
      stage.fetched.push(`${request.headers.host ?? ''}${path}`)
      const file = stage.files.get(path)
      response.writeHead(file === undefined ? 404 : (file.status ?? 200), { 'content-type': file?.type ?? 'text/plain' })
      response.end(file?.body ?? 'nothing here')
    })
    stage.#model = await httpServer((request, response) => void stage.#answer(request).then((says) => stage.#reply(says, response)))
    stage.#gateway = await startGateway({
      bundled: true,
      ...(file === undefined ? {} : { file }),
      env: {
        CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(stage.#site.port)}`,
        ...(model
          ? {
              CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${String(stage.#model.port)}/v1`,
              CAPSTAN_OPENAI_COMPATIBLE_MODEL: 'local',
            }
          : {}),
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
    this.asked.length = 0
    this.fetched.length = 0
    this.files.clear()
    this.says = () => ({ status: 500 })
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    await this.#site?.close()
    await this.#model?.close()
  }

  async #answer(request: IncomingMessage): Promise<ModelSays> {
    let text = ''
    for await (const piece of request) text += String(piece)
    const { messages, response_format: format } = JSON.parse(text) as Body
    const textOf = (role: string): string =>
      messages
        .filter((message) => message.role === role)
        .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')))
        .join('\n')
    const asked = { text: textOf('user'), system: textOf('system'), schema: format?.json_schema?.schema ?? null }
    this.asked.push(asked)
    return this.says(asked)
  }

  #reply(says: ModelSays, response: ServerResponse): void {
    if (says === 'hang') {
      this.hanging++
      response.on('close', () => this.hanging--)
      return
    }
    response.setHeader('content-type', 'application/json')
    if ('status' in says) {
      response.statusCode = says.status
      response.end('{}')
      return
    }
    const message = { role: 'assistant', content: 'text' in says ? says.text : JSON.stringify(says.json) }
    const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 }
    const choices = [{ index: 0, finish_reason: 'stop', message }]
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'local', choices, usage }))
  }
}
