import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../core/runtime/root.js'
import { send, type Reply } from './gateway.js'

export const LEGACY = '2025-11-25'
export const MODERN = '2026-07-28'
export const ACCEPT = 'application/json, text/event-stream'
/** What a request of `MODERN` says about itself. */
export const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} }

export interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

export interface Content {
  readonly type: string
  readonly text?: string
  readonly uri?: string
  readonly mimeType?: string
}

interface McpExchange {
  readonly reply: Reply
  readonly messages: readonly Message[]
  /** The answer. */
  readonly last: Message | undefined
}

export interface McpRequestOptions {
  readonly headers?: Record<string, string>
  readonly path?: string
}

/** The messages of an answer, from JSON or from events. */
export function messagesOf(text: string): Message[] {
  return text.startsWith('{')
    ? [JSON.parse(text) as Message]
    : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Message)
}

/** The text parts of a result in one. */
export function textOf(message: Message | undefined): string {
  return ((message?.result?.['content'] ?? []) as Content[]).map(({ text = '' }) => text).join('\n')
}

/** An MCP client of a gateway over streamable HTTP, which may send what a correct one would not. */
export class McpHttp {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  send(message: unknown, { headers = {}, path = '/mcp' }: McpRequestOptions = {}): Promise<Reply> {
    return send(this.#url + path, { body: message, key: this.#key, headers: { accept: ACCEPT, ...headers } })
  }

  /** One request in a revision. */
  async request(
    version: string,
    method: string,
    params: Record<string, unknown> = {},
    options: McpRequestOptions = {},
  ): Promise<McpExchange> {
    const { _meta, ...rest } = params
    const modern = version === MODERN
    const body = {
      ...{ jsonrpc: '2.0', id: 7, method },
      params: { ...rest, _meta: { ...(modern ? META : {}), ...(_meta as object | undefined) } },
    }
    const named = modern ? { 'mcp-method': method, ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}) } : {}
    const headers = { 'mcp-protocol-version': version, ...named, ...options.headers }
    const reply = await this.send(body, { ...options, headers })
    const messages = messagesOf(reply.text)
    return { reply, messages, last: messages.at(-1) }
  }
}

/** `capstan mcp` as a client starts it. */
export class McpStdio {
  readonly #child: ChildProcess
  readonly #messages: Message[] = []
  readonly #waiting: (() => void)[] = []
  readonly ended: Promise<number | null>

  constructor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const script = join(packageRoot(), 'dist', 'capstan.js')
    this.#child = spawn(process.execPath, [script, 'mcp', ...args], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
    this.ended = new Promise((resolve) => this.#child.on('close', resolve))
    if (this.#child.stdout === null) throw new Error('no output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#messages.push(JSON.parse(line) as Message)
      for (const check of this.#waiting.splice(0)) check()
    })
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', ...message })}\n`)
  }

  /** The first message that fits. */
  async get(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#messages.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async request(id: number, method: string, params: object = {}): Promise<Message> {
    this.send({ id, method, params })
    return await this.get((message) => message.id === id)
  }

  async close(): Promise<number | null> {
    this.#child.stdin?.end()
    return await this.ended
  }
}
