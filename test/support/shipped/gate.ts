import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'

/** A request as it came. */
export interface GateRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly location?: string
  readonly body: string | Uint8Array
}

/** What is answered to a request; null for an unknown one. */
export type Route = (request: GateRequest) => Answer | null

/**
 * `answers` as the routes say; `fails` with status 500; `babbles` what is nothing, with status 200;
 * `repeats` the whole request, credentials too, with status 401; `busy` with status 429; `cuts` its answer off; `floods` without an end; `waits` until it
 * is something else or the other side goes.
 */
export type Mood = 'answers' | 'fails' | 'babbles' | 'repeats' | 'busy' | 'cuts' | 'floods' | 'waits'

const FAILURE: Answer = { status: 500, body: '{}' }
const BUSY: Answer = { status: 429, body: '{}' }
/** More than any adapter reads of an answer that is no file. */
const FLOOD = Buffer.alloc(64 * 1024, ' ')
const BABBLE: Answer = { body: '\u0000\uffff<<< }{' }

/** One server on loopback for every vendor and site of a test, all of them in the same state. */
export class Gate {
  readonly requests: GateRequest[] = []
  readonly #routes: Readonly<Record<string, Route>>
  readonly #spared: ReadonlySet<string>
  readonly #kept = new Map<ServerResponse, GateRequest>()
  #server: Running | null = null
  #mood: Mood = 'answers'
  #watchers: (() => void)[] = []

  private constructor(routes: Readonly<Record<string, Route>>, spared: readonly string[]) {
    this.#routes = routes
    this.#spared = new Set(spared)
  }

  /** Routes by the first part of the path; those that are `spared` answer in every mood. */
  static async start(routes: Readonly<Record<string, Route>>, spared: readonly string[] = []): Promise<Gate> {
    const gate = new Gate(routes, spared)
    gate.#server = await httpServer((request, response) => void gate.#take(request, response))
    return gate
  }

  get port(): number {
    return this.#server?.port ?? 0
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#kept.size
  }

  /** What comes from now on meets this, and what waits does too. */
  be(mood: Mood): void {
    this.#mood = mood
    if (mood === 'waits') return
    for (const [response, request] of this.#kept) this.#answer(request, response)
    this.#kept.clear()
  }

  /** Resolves once a condition over this gate holds; it is checked whenever a request comes or ends. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (holds()) resolve()
        else this.#watchers.push(check)
      }
      check()
    })
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The other side went before its request was whole, so that nobody waits for an answer.
      return
    }
    const url = new URL(request.url ?? '/', 'http://gate')
    const { method = '', headers } = request
    const received = { method, headers, path: url.pathname, query: url.searchParams, body: Buffer.concat(chunks).toString() }
    this.requests.push(received)
    const isSpared = this.#spared.has(received.path.split('/')[1] ?? '')
    if (isSpared) this.#answer(received, response, 'answers')
    else if (this.#mood === 'cuts')
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"a":', () => response.destroy())
    else if (this.#mood === 'floods') flood(response)
    else if (this.#mood === 'waits') {
      this.#kept.set(response, received)
      response.once('close', () => {
        this.#kept.delete(response)
        this.#happened()
      })
    } else this.#answer(received, response)
    this.#happened()
  }

  #answer(request: GateRequest, response: ServerResponse, mood = this.#mood): void {
    const { status = 200, type = 'application/json', location, body } = this.#answerTo(request, mood)
    response
      .writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        ...(location === undefined ? {} : { location }),
      })
      .end(body)
  }

  #answerTo(request: GateRequest, mood: Mood): Answer {
    if (mood === 'fails') return FAILURE
    if (mood === 'busy') return BUSY
    if (mood === 'babbles') return BABBLE
    if (mood === 'repeats') return repeated(request)

    const [, first = ''] = request.path.split('/')
    const route = Object.hasOwn(this.#routes, first) ? this.#routes[first] : undefined
    const known = route?.({ ...request, path: request.path.slice(first.length + 1) }) ?? { status: 404, body: '{}' }
    return known
  }

  #happened(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const check of watchers) check()
  }
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = (): void => {
    while (!response.destroyed && response.write(FLOOD));
  }
  response.on('drain', more)
  more()
}

/** A vendor that quotes what it was sent, in the shape that most give their errors. */
function repeated({ headers, query, body }: GateRequest): Answer {
  const message = `wrong credentials: ${JSON.stringify(headers)} ${query.toString()} ${body}`
  return { status: 401, body: JSON.stringify({ error: { message, code: 'unauthorized' }, message }) }
}
