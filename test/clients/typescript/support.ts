import { spawn } from 'node:child_process'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Capstan, type ClientOptions } from '../../../clients/typescript/src/index.js'
import { listen, type TestGateway } from '../../support/gateway.js'

/** A request as the server of a test got it. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What is answered to one request; the last one of a list is repeated. */
export type Say = (response: ServerResponse, request: ReceivedRequest) => void

/** A server that answers as a test says, one reply after the other. */
export class Answering {
  readonly requests: ReceivedRequest[] = []
  url = ''
  #close: () => Promise<void> = () => Promise.resolve()
  #says: readonly Say[] = []

  static async start(): Promise<Answering> {
    const server = new Answering()
    const { url, close } = await listen((request, response) => {
      const pieces: Buffer[] = []
      request.on('error', () => response.destroy())
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        const received = { method, path, headers, body: Buffer.concat(pieces).toString() }
        server.requests.push(received)
        const say = server.#says[Math.min(server.requests.length, server.#says.length) - 1]
        say?.(response, received)
      })
    })
    server.url = url
    server.#close = close
    return server
  }

  /** Forgets what came, and answers so from now on. */
  says(...says: readonly Say[]): void {
    this.requests.length = 0
    this.#says = says
  }

  /** A client of this server. */
  client(options: ClientOptions = {}): Capstan {
    return new Capstan({ apiKey: 'cap_test', baseUrl: this.url, ...options })
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** A client of the gateway, with its first key unless the options say another. */
export function clientOf(gateway: Pick<TestGateway, 'url' | 'key'>, options: ClientOptions = {}): Capstan {
  return new Capstan({ baseUrl: gateway.url, apiKey: gateway.key, ...options })
}

/** What is thrown; a success is the failure of the test. */
export async function thrown(work: Promise<unknown>): Promise<unknown> {
  let value: unknown
  try {
    value = await work
  } catch (error) {
    return error
  }
  throw new Error(`nothing was thrown; it gave ${JSON.stringify(value)?.slice(0, 200)}`)
}

export const METADATA = {
  provider_used: 'one',
  providers_tried: ['one'],
  mode_used: null,
  response_time_ms: 1,
  request_id: 'req_1',
  attempts: [],
  credits_balance: 41,
}

/** The envelope of a result, with fields of a gateway that is newer. */
export function envelope(data: unknown, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ success: true, data, error: null, metadata: METADATA, credits_used: 1, ...more })
}

/** Answers with this result. */
export function result(data: unknown, headers: Record<string, string> = {}): Say {
  return (response) => response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(envelope(data))
}

/** Answers with a problem of the gateway. */
export function problem(status: number, slug: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Say {
  const error = {
    ...{ type: `https://example.com/errors/${slug}`, title: 'It failed', status, detail: 'It failed so.', is_retriable: false },
    ...{ alternative_action: 'Do this.', error_category: 'transient', ...more },
  }
  const body = JSON.stringify({ success: false, data: null, error, metadata: { ...METADATA, request_id: 'req_2' }, credits_used: 0 })
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

/** A page, as a proxy shows it. */
export function page(status: number, text = '<html><h1>Bad gateway</h1></html>'): Say {
  return (response) => response.writeHead(status, { 'content-type': 'text/html' }).end(text)
}

/** Closes the connection without an answer. */
export const hangUp: Say = (response) => void response.socket?.destroy()

/** Sends events in these pieces, then ends or breaks off. */
export function events(pieces: readonly (string | Buffer)[], end: 'ends' | 'breaks' = 'ends'): Say {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), () => {
      if (end === 'ends') response.end()
      else response.destroy()
    })
  }
}

/** Runs Node to its end, with these variables besides those of this process, and without blocking it. */
export async function spawned(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  return { code, out, err }
}
