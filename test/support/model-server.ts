import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'

/** A request to a model: the words of the prompt, with schema and document. */
export interface ModelAsked {
  readonly text: string
  readonly system: string
  /** The schema that the vendor was sent, when it was sent one. */
  readonly schema: unknown
}

/** What a model says: a value that becomes JSON, a text as it is, a status, a text without an end, or nothing at all. */
export type ModelSays = { readonly json: unknown } | { readonly text: string } | { readonly status: number } | 'endless' | 'hang'

interface Body {
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly { readonly type: string; readonly text?: string }[]
  }[]
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } }
}

/** A server with the protocol of OpenAI and scripted replies. */
export class ModelServer {
  readonly asked: ModelAsked[] = []
  /** Questions that hang now. */
  hanging = 0
  says: (request: ModelAsked) => ModelSays = () => ({ status: 500 })
  #server: Running | null = null

  static async start(): Promise<ModelServer> {
    const model = new ModelServer()
    model.#server = await httpServer((request, response) => void model.#answer(request).then((says) => model.#reply(says, response)))
    return model
  }

  /** The settings of a gateway that calls this model. */
  get env(): Record<string, string> {
    return {
      CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${String(this.#server?.port ?? 0)}/v1`,
      CAPSTAN_OPENAI_COMPATIBLE_MODEL: 'local',
    }
  }

  async close(): Promise<void> {
    await this.#server?.close()
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
    const received = { text: textOf('user'), system: textOf('system'), schema: format?.json_schema?.schema ?? null }
    this.asked.push(received)
    return this.says(received)
  }

  #reply(says: ModelSays, response: ServerResponse): void {
    if (says === 'hang') {
      this.hanging++
      response.on('close', () => this.hanging--)
      return
    }
    response.setHeader('content-type', 'application/json')
    if (says === 'endless') {
      const more = (): void => void (response.destroyed || response.write('{"id":"c","a":"' + 'x'.repeat(65_536), () => setImmediate(more)))
      more()
      return
    }
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
