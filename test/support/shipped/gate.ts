import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'

/** A request as it came. */
export interface Asked {
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
export type Route = (asked: Asked) => Answer | null

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
  readonly asked: Asked[] = []
  readonly #routes: Readonly<Record<string, Route>>
  readonly #spared: ReadonlySet<string>
  readonly #kept = new Map<ServerResponse, Asked>()
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
    for (const [response, asked] of this.#kept) this.#answer(asked, response)
    this.#kept.clear()
  }

  /** Resolves once a condition over this gate holds; it is checked whenever a request comes or ends. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (holds()) resolve()
        else this.#watchers.push(look)
      }
      look()
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
    const asked = { method, headers, path: url.pathname, query: url.searchParams, body: Buffer.concat(chunks).toString() }
    this.asked.push(asked)
    const isSpared = this.#spared.has(asked.path.split('/')[1] ?? '')
    if (isSpared) this.#answer(asked, response, 'answers')
    else if (this.#mood === 'cuts')
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"a":', () => response.destroy())
    else if (this.#mood === 'floods') flood(response)
    else if (this.#mood === 'waits') {
      this.#kept.set(response, asked)
      response.once('close', () => {
        this.#kept.delete(response)
        this.#happened()
      })
    } else this.#answer(asked, response)
    this.#happened()
  }

  #answer(asked: Asked, response: ServerResponse, mood = this.#mood): void {
    const { status = 200, type = 'application/json', location, body } = this.#answerTo(asked, mood)
    response
      .writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        ...(location === undefined ? {} : { location }),
      })
      .end(body)
  }

  #answerTo(asked: Asked, mood: Mood): Answer {
    if (mood === 'fails') return FAILURE
    if (mood === 'busy') return BUSY
    if (mood === 'babbles') return BABBLE
    if (mood === 'repeats') return repeated(asked)

    const [, first = ''] = asked.path.split('/')
    const route = Object.hasOwn(this.#routes, first) ? this.#routes[first] : undefined
    const known = route?.({ ...asked, path: asked.path.slice(first.length + 1) }) ?? { status: 404, body: '{}' }
    return known
  }

  #happened(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const look of watchers) look()
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
function repeated({ headers, query, body }: Asked): Answer {
  const message = `wrong credentials: ${JSON.stringify(headers)} ${query.toString()} ${body}`
  return { status: 401, body: JSON.stringify({ error: { message, code: 'unauthorized' }, message }) }
}
