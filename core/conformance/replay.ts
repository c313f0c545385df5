// eslint-disable-next-line no-restricted-imports -- a server on loopback that plays the vendor; it opens no connection
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { bytesOf, type FixtureReply, type FixtureRequest } from './fixture.js'
import { requestFault, type Received } from './request-match.js'

/** What the played vendor answers with. */
export type VendorResponse = ServerResponse

/** What a vendor answers: recorded exchanges, or one answer to everything. */
export type Script =
  | {
      readonly exchanges: readonly { readonly request: FixtureRequest; readonly reply: FixtureReply }[]
      readonly basePath: (host: string | null) => string
    }
  | { readonly always: (response: VendorResponse) => void }

/** A script being played. */
export interface Replay {
  /** Address of the vendor for this play, without a trailing slash. */
  readonly url: string
  /** What went otherwise than recorded so far, also what was recorded and not asked; null when nothing. */
  fault(): string | null
  end(): void
}

interface State {
  readonly script: Script
  readonly waiting: Set<number>
  readonly faults: string[]
}

/** Begins the path of requests to one of a vendor's further hosts. */
export const HOST_MARK = '/~'

/** One loopback server for many plays, each under a path of its own. Recorded requests made at the same time may arrive in any order. */
export class ReplayServer {
  readonly #server: Server
  readonly #plays = new Map<string, State>()
  #count = 0

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<ReplayServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ReplayServer(server)
  }

  play(script: Script): Replay {
    const id = `play-${String(++this.#count)}`
    const state: State = { script, waiting: new Set('exchanges' in script ? script.exchanges.keys() : []), faults: [] }
    this.#plays.set(id, state)
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return {
      url: `http://127.0.0.1:${String(port)}/${id}`,
      fault: () => state.faults[0] ?? unasked(state),
      end: () => void this.#plays.delete(id),
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://loopback')
    const [, id = '', path = ''] = /^\/([^/]+)(.*)$/.exec(url.pathname) ?? []
    const state = this.#plays.get(id)
    const chunks: Buffer[] = []
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk)
    if (state === undefined) {
      response.writeHead(599).end()
      return
    }
    if ('always' in state.script) {
      state.script.always(response)
      return
    }
    const [, host, below] = new RegExp(`${HOST_MARK}([^/]+)(.*)$`).exec(path) ?? []
    const received = {
      method: request.method ?? '',
      path: below ?? path,
      host: host ?? null,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks),
    }
    reply(response, next(state, state.script, received))
  }
}

function next(state: State, script: Extract<Script, { exchanges: unknown }>, received: Received): FixtureReply {
  let first: string | null = null
  for (const index of state.waiting) {
    const exchange = script.exchanges[index]
    if (exchange === undefined) continue
    const fault = requestFault(exchange.request, received, script.basePath(received.host))
    if (fault === null) {
      state.waiting.delete(index)
      return exchange.reply
    }
    first ??= fault
  }
  state.faults.push(first ?? `${received.method} ${received.path} was sent and is not recorded`)
  return { status: 599, text: 'not recorded' }
}

function unasked({ script, waiting }: State): string | null {
  const [index] = waiting
  const request = index === undefined || !('exchanges' in script) ? undefined : script.exchanges[index]?.request
  return request === undefined ? null : `${request.method} ${request.path} is recorded and was not sent`
}

function reply(response: ServerResponse, { status = 200, headers = {}, json, ...rest }: FixtureReply): void {
  const body = json === undefined ? bytesOf(rest) : Buffer.from(JSON.stringify(json))
  const type =
    json === undefined ? (rest.base64 === undefined ? 'text/plain; charset=utf-8' : 'application/octet-stream') : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}
