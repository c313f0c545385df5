import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from './servers.js'

/** One reply about the state of the job. */
export interface JobReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** The result file of the job. */
export interface JobResult {
  readonly bytes: Uint8Array
  readonly contentType?: string
}

/**
 * A vendor of jobs on loopback. `POST /jobs` creates the job `j1`; each `GET /jobs/j1` gets the next look, then always the last one;
 * `DELETE /jobs/j1` ends it; `GET /result` returns its file.
 */
export class PollingVendor {
  readonly #replies: readonly JobReply[]
  readonly #server: Running
  /** Methods of the requests about jobs, in order. */
  readonly methods: string[] = []
  /** How often the result was fetched. */
  fetched = 0
  /** Does not answer the request to end the job. */
  hangs = false
  result: JobResult = { bytes: Buffer.from('made') }
  #watchers: (() => void)[] = []

  private constructor(replies: readonly JobReply[], server: Running) {
    this.#replies = replies
    this.#server = server
  }

  static async start(...replies: readonly JobReply[]): Promise<PollingVendor> {
    let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
    const made = new PollingVendor(replies, await httpServer((request, response) => answer(request, response)))
    answer = (request, response) => made.#answer(request, response)
    return made
  }

  get host(): string {
    return this.#server.host
  }

  get port(): number {
    return this.#server.port
  }

  get url(): string {
    return this.#server.url
  }

  /** The address of the file, for a look. */
  get resultUrl(): string {
    return `${this.url}/result`
  }

  /** True once a request to end the job has come. */
  get cancelled(): boolean {
    return this.methods.includes('DELETE')
  }

  async close(): Promise<void> {
    await this.#server.close()
  }

  /** Resolves once so many requests of this kind have come. */
  async came(method: string, count = 1): Promise<void> {
    while (this.methods.filter((each) => each === method).length < count)
      await new Promise<void>((resolve) => void this.#watchers.push(resolve))
  }

  #answer({ method = '', url }: IncomingMessage, response: ServerResponse): void {
    if (url === '/result') {
      this.fetched++
      response.writeHead(200, { 'content-type': this.result.contentType ?? 'application/octet-stream' }).end(this.result.bytes)
      return
    }
    const polls = this.methods.filter((each) => each === 'GET').length
    this.methods.push(method)
    for (const watcher of this.#watchers.splice(0)) watcher()
    if (method === 'DELETE' && this.hangs) return
    const reply =
      method === 'GET'
        ? (this.#replies[polls] ?? this.#replies.at(-1) ?? { json: { status: 'running' } })
        : { json: { id: url === '/jobs' ? 'j1' : '' } }
    const { status = 200, headers = {}, json = {} } = reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }
}
