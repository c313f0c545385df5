import { createParser } from 'eventsource-parser'
import { isRecord } from '../../../core/sdk/json.js'
import { failureText } from '../mcp/result.js'
import type { GatewayClient } from './gateway-client.js'

type Message = Readonly<Record<string, unknown>>

interface BridgeOptions {
  readonly client: GatewayClient
  /** Path and query of the gateway's MCP endpoint. */
  readonly path: string
  readonly key: string
  readonly send: (message: unknown) => void | Promise<void>
}

const INVALID_REQUEST = -32_600
const INTERNAL = -32_603
const META = 'io.modelcontextprotocol/protocolVersion'

/** Forwards the messages of an MCP client to the MCP endpoint of a gateway, and its answers back. */
export class McpBridge {
  readonly #options: BridgeOptions
  readonly #running = new Map<unknown, AbortController>()
  readonly #all = new Set<Promise<void>>()
  /** Agreed by `initialize` (2025-11-25); later revisions name theirs in each message. */
  #version = ''

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /** Takes one message; null for what is none. Answers are sent as they come, in any order. */
  receive(message: Message | null): void {
    if (message === null) return void this.#fail(null, INVALID_REQUEST, 'A line must be one JSON object.')
    if (message['method'] === 'notifications/cancelled') return this.#cancel(message)
    const forwarding = this.#forward(message).finally(() => this.#all.delete(forwarding))
    this.#all.add(forwarding)
  }

  /** Waits for the running calls. */
  async close(): Promise<void> {
    await Promise.all(this.#all)
  }

  /** Closing the connection ends the call at the gateway; a second cancellation finds nothing. */
  #cancel({ params }: Message): void {
    this.#running.get(isRecord(params) ? params['requestId'] : undefined)?.abort()
  }

  async #forward(message: Message): Promise<void> {
    const { id = null, method, params } = message
    const cancel = new AbortController()
    if (id !== null) this.#running.set(id, cancel)
    try {
      const named = isRecord(params) ? params : {}
      const version = isRecord(named['_meta']) ? named['_meta'][META] : undefined
      const { type, body } = await this.#options.client.open(this.#options.path, {
        key: this.#options.key,
        json: message,
        signal: cancel.signal,
        headers: headersOf(version ?? this.#version, { method, name: named['name'] ?? named['uri'], modern: version !== undefined }),
      })
      if (type.startsWith('text/event-stream')) return await this.#events(body)
      const text = await body.text()
      if (text !== '') await this.#reply(id, method, JSON.parse(text))
    } catch (error) {
      if (cancel.signal.aborted) return
      await this.#fail(id, INTERNAL, error instanceof Error ? error.message : String(error))
    } finally {
      if (this.#running.get(id) === cancel) this.#running.delete(id)
    }
  }

  async #events(body: AsyncIterable<unknown>): Promise<void> {
    const messages: unknown[] = []
    const parser = createParser({ onEvent: ({ data }) => (data === '' ? undefined : messages.push(JSON.parse(data))) })
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      if (chunk instanceof Uint8Array) parser.feed(decoder.decode(chunk, { stream: true }))
      for (const message of messages.splice(0)) await this.#options.send(message)
    }
  }

  /** A message of the protocol, or the error envelope of a refused request, such as one with a wrong key. */
  async #reply(id: unknown, method: unknown, body: unknown): Promise<void> {
    if (!isRecord(body)) return
    if (body['jsonrpc'] !== '2.0') return await this.#fail(id, INTERNAL, failureText(body), body['error'])
    const { result } = body
    if (method === 'initialize' && isRecord(result))
      this.#version = typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : ''
    await this.#options.send(body)
  }

  async #fail(id: unknown, code: number, message: string, data?: unknown): Promise<void> {
    await this.#options.send({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
  }
}

/** Headers that repeat what a message says, which revision 2026-07-28 requires over HTTP. */
function headersOf(
  version: unknown,
  { method, name, modern }: { method: unknown; name: unknown; modern: boolean },
): Record<string, string> {
  return {
    ...(typeof version === 'string' && version !== '' ? { 'mcp-protocol-version': version } : {}),
    ...(modern && typeof method === 'string' ? { 'mcp-method': method } : {}),
    ...(modern && typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}
