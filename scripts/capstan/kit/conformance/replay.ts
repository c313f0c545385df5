// eslint-disable-next-line no-restricted-imports -- a server on loopback that acts as the vendor; it opens no connection
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { bytesOf, type FixtureReply, type FixtureRequest } from './fixture.js'
import { requestFault, type Received } from './request-match.js'

/** The response of the replayed vendor. */
export type VendorResponse = ServerResponse

export interface Exchange {
  readonly request: FixtureRequest
  readonly reply: FixtureReply
}

/** Exchanges as recorded. */
export interface Recording {
  readonly exchanges: readonly Exchange[]
  readonly basePath: (host: string | null) => string
  /** Values that must not be sent to addresses from replies. */
  readonly secrets: readonly string[]
  /** One exchange with another answer, however often it is requested. Unrecorded requests are then answered with an empty object. */
  readonly spoilt?: { readonly index: number; readonly answer: (response: VendorResponse) => void }
}

/** The answers of a vendor: recorded exchanges, or one answer to everything. */
export type Script = Recording | { readonly always: (response: VendorResponse) => void }

/** A running script. */
export interface Replay {
  /** Address of the vendor for this run, without a trailing slash. */
  readonly url: string
  /** The first deviation from the recording so far, including recorded requests that were not sent; null when there is none. */
  fault(): string | null
  /** Requests so far. */
  requests(): number
  end(): void
}

/** Most requests of a provider; more are taken for an endless loop. */
const MOST_REQUESTS = 500

interface State {
  readonly script: Script
  readonly waiting: Set<number>
  readonly faults: string[]
  requests: number
}

/** Path prefix of requests to one of a vendor's further hosts. */
export const HOST_MARK = '/~'
/** Path prefix of requests to an address from a reply; its encoded origin follows. */
export const ADDRESS_MARK = '/@'

/** One loopback server for many scripts, each under its own path. Recorded requests sent concurrently may arrive in any order. */
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
    const state: State = { script, waiting: new Set('exchanges' in script ? script.exchanges.keys() : []), faults: [], requests: 0 }
    this.#plays.set(id, state)
    return {
      url: `http://${this.address}/${id}`,
      fault: () => state.faults[0] ?? unasked(state),
      requests: () => state.requests,
      end: () => void this.#plays.delete(id),
    }
  }

  /** Host and port. */
  get address(): string {
    const address = this.#server.address()
    return `127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`
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
    if (++state.requests > MOST_REQUESTS) {
      state.faults.push(`more than ${String(MOST_REQUESTS)} requests were sent`)
      response.writeHead(599).end()
      return
    }
    if ('always' in state.script) {
      state.script.always(response)
      return
    }
    const [, host, below] = new RegExp(`${HOST_MARK}([^/]+)(.*)$`).exec(path) ?? []
    const [, origin, rest] = new RegExp(`^${ADDRESS_MARK}([^/]+)(.*)$`).exec(path) ?? []
    const received = {
      method: request.method ?? '',
      path: below ?? path,
      host: host ?? null,
      address: origin === undefined ? null : decodeURIComponent(origin) + (rest ?? '') + url.search,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks),
    }
    next(state, state.script, received)(response)
  }
}

function next(state: State, script: Recording, received: Received): (response: VendorResponse) => void {
  const { exchanges, spoilt } = script
  let first: string | null = received.address === null ? null : leakFault(received, script)
  if (first === null)
    for (const index of state.waiting) {
      const exchange = exchanges[index]
      if (exchange === undefined) continue
      const fault = requestFault(exchange.request, received, script.basePath(received.host))
      if (fault === null) {
        if (index === spoilt?.index) return spoilt.answer
        state.waiting.delete(index)
        return (response) => reply(response, exchange.reply)
      }
      first ??= fault
    }
  if (spoilt !== undefined) return (response) => reply(response, { json: {} })
  state.faults.push(first ?? `${received.method} ${received.address ?? received.path} was sent but is not recorded`)
  return (response) => reply(response, { status: 599, text: 'not recorded' })
}

/** A secret that was sent to an address from a reply, as a sentence; else null. */
function leakFault({ method, address, headers, body }: Received, { secrets }: Recording): string | null {
  const sent = `${address ?? ''} ${JSON.stringify(headers)} ${body.toString('latin1')}`
  return secrets.some((secret) => sent.includes(secret)) ? `${method} ${address ?? ''} was sent with a secret of the vendor` : null
}

function unasked({ script, waiting }: State): string | null {
  if (!('exchanges' in script) || script.spoilt !== undefined) return null
  const [index] = waiting
  const request = index === undefined ? undefined : script.exchanges[index]?.request
  return request === undefined ? null : `${request.method} ${request.address ?? request.path ?? ''} is recorded but was not sent`
}

/** Head and bytes of a recorded reply. */
export function recordedReply({ status = 200, headers = {}, json, ...rest }: FixtureReply) {
  const body = json === undefined ? bytesOf(rest) : Buffer.from(JSON.stringify(json))
  const type =
    json === undefined ? (rest.base64 === undefined ? 'text/plain; charset=utf-8' : 'application/octet-stream') : 'application/json'
  return { status, headers: { 'content-type': type, ...headers }, body }
}

function reply(response: ServerResponse, recorded: FixtureReply): void {
  const { status, headers, body } = recordedReply(recorded)
  response.writeHead(status, headers).end(body)
}
