import { createParser } from 'eventsource-parser'
import type { Clock } from '../../../core/runtime/clock.js'
import { isRecord } from '../../../core/sdk/json.js'
import { failureText } from '../mcp/result.js'
import { type GatewayClient, NoGateway } from './gateway-client.js'

type Message = Readonly<Record<string, unknown>>
type Answer = Awaited<ReturnType<GatewayClient['open']>>

interface BridgeOptions {
  readonly client: Pick<GatewayClient, 'open'>
  /** Path and query of the gateway's MCP endpoint. */
  readonly path: string
  readonly key: string
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  readonly send: (message: unknown) => void | Promise<void>
}

const INVALID_REQUEST = -32_600
const INTERNAL = -32_603
const META = 'io.modelcontextprotocol/protocolVersion'
/** How long a gateway that refuses connections, as one that restarts does, is waited for, and how often it is tried, in milliseconds. */
const PATIENCE_MS = 5_000
const PAUSE_MS = 250
/** Messages that wait to be read before no more are taken. */
const MOST_UNREAD = 64
/** Codes of a connection that ended although it had been made. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const LOST =
  'The connection to the gateway ended before the answer came. Call again; with the same capstan/idempotency-key in _meta a call is charged once.'

/** Forwards the messages of an MCP client to the MCP endpoint of a gateway, and its answers back. */
export class McpBridge {
  readonly #options: BridgeOptions
  readonly #running = new Map<unknown, AbortController>()
  readonly #all = new Set<Promise<void>>()
  /** Agreed by `initialize` (2025-11-25); later revisions name theirs in each message. */
  #version = ''
  #sent: Promise<void> = Promise.resolve()
  #unread = 0

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /**
   * Takes one message; null for what is none. Answers are sent as they come, in any order. Resolves when the next message may come: at once, unless
   * the client does not read.
   */
  async receive(message: Message | null): Promise<void> {
    if (message === null) void this.#fail(null, INVALID_REQUEST, 'A line must be one JSON object.')
    else if (message['method'] === 'notifications/cancelled') this.#cancel(message)
    else {
      const forwarding = this.#forward(message).finally(() => this.#all.delete(forwarding))
      this.#all.add(forwarding)
    }
    if (this.#unread >= MOST_UNREAD) await this.#sent
  }

  /** Waits for the running calls. */
  async close(): Promise<void> {
    await Promise.all(this.#all)
    await this.#sent
  }

  /** Closing the connection ends the call at the gateway; a second cancellation finds nothing. */
  #cancel({ params }: Message): void {
    this.#running.get(isRecord(params) ? params['requestId'] : undefined)?.abort()
  }

  async #forward(message: Message): Promise<void> {
    const { id = null, method } = message
    const cancel = new AbortController()
    if (id !== null) this.#running.set(id, cancel)
    try {
      const { type, body } = await this.#open(message, cancel.signal)
      const isAnswered = type.startsWith('text/event-stream')
        ? await this.#events(id, body)
        : await this.#reply(id, method, await body.text())
      if (!isAnswered && id !== null) await this.#fail(id, INTERNAL, LOST)
    } catch (error) {
      // A notification has no answer, and a cancelled request wants none.
      if (cancel.signal.aborted || id === null) return
      await this.#fail(id, INTERNAL, reasonOf(error))
    } finally {
      if (this.#running.get(id) === cancel) this.#running.delete(id)
    }
  }

  /** Posts a message. While the gateway refuses connections, which carries nothing, it tries again. */
  async #open(message: Message, signal: AbortSignal): Promise<Answer> {
    const { client, path, key, clock } = this.#options
    const { method, params } = message
    const named = isRecord(params) ? params : {}
    const version = isRecord(named['_meta']) ? named['_meta'][META] : undefined
    const headers = headersOf(version ?? this.#version, { method, name: named['name'] ?? named['uri'], modern: version !== undefined })
    const until = clock.monotonic() + PATIENCE_MS
    for (;;) {
      try {
        return await client.open(path, { key, json: message, signal, headers })
      } catch (error) {
        if (!(error instanceof NoGateway) || error.why !== 'ECONNREFUSED' || signal.aborted || clock.monotonic() >= until) throw error
        await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve))
      }
    }
  }

  /** Passes the messages of an answer on; true when the answer to the request was among them. */
  async #events(id: unknown, body: AsyncIterable<unknown>): Promise<boolean> {
    let isAnswered = false
    const messages: unknown[] = []
    const parser = createParser({ onEvent: ({ data }) => (data === '' ? undefined : messages.push(JSON.parse(data))) })
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      if (chunk instanceof Uint8Array) parser.feed(decoder.decode(chunk, { stream: true }))
      for (const message of messages.splice(0)) {
        isAnswered ||= isRecord(message) && message['id'] === id && ('result' in message || 'error' in message)
        await this.#send(message)
      }
    }
    return isAnswered
  }

  /** A message of the protocol, or the error envelope of a refused request, such as one with a wrong key. False for none. */
  async #reply(id: unknown, method: unknown, text: string): Promise<boolean> {
    const body: unknown = text === '' ? null : JSON.parse(text)
    if (!isRecord(body)) return false
    if (body['jsonrpc'] !== '2.0') {
      if (id !== null) await this.#fail(id, INTERNAL, failureText(body), body['error'])
      return true
    }
    const { result } = body
    if (method === 'initialize' && isRecord(result))
      this.#version = typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : ''
    await this.#send(body)
    return true
  }

  async #fail(id: unknown, code: number, message: string, data?: unknown): Promise<void> {
    await this.#send({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
  }

  /** One message after the other. */
  #send(message: unknown): Promise<void> {
    this.#unread += 1
    this.#sent = this.#sent.then(async () => {
      await this.#options.send(message)
      this.#unread -= 1
    })
    return this.#sent
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoGateway && !CUT.has(error.why)) return error.message
  return error instanceof SyntaxError ? `What answers at the address of the gateway is none: ${error.message}` : LOST
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
