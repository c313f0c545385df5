import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { memoryObjects, type ObjectStore } from './s3-objects.js'
import { refusalOf, type S3Account, type WireRequest } from './s3-verifier.js'

/** Answers a request instead of the store; false passes it to the store. */
export type Trick = (request: WireRequest, response: ServerResponse) => boolean

export interface S3Options {
  readonly bucket: string
  readonly account: S3Account
  /** The store's clock in Unix milliseconds, default the system's. */
  readonly now?: () => number
  /** Stores the objects, default in memory. */
  readonly objects?: ObjectStore
}

/** An S3-compatible store on loopback, addressed by path, that verifies the signature of every request (AWS Signature Version 4). */
export class S3TestServer {
  readonly requests: WireRequest[] = []
  readonly account: S3Account
  readonly bucket: string
  readonly #now: () => number
  readonly #objects: ObjectStore
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #tricks: Trick[] = []

  constructor({ bucket, account, now = Date.now, objects = memoryObjects(bucket) }: S3Options) {
    this.bucket = bucket
    this.account = account
    this.#now = now
    this.#objects = objects
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`
  }

  /** Applies these tricks to the next requests, in order, one each. */
  trick(...tricks: readonly Trick[]): void {
    this.#tricks.push(...tricks)
  }

  /** Keys of all objects, read from the store itself. */
  async keys(): Promise<string[]> {
    const { bytes } = await this.#objects({ method: 'GET', target: `/${this.bucket}?max-keys=1000`, headers: {}, body: Buffer.alloc(0) })
    return [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/<Key>([^<]+)<\/Key>/g),
    ].map(([, key]) => key ?? '')
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
    } catch {
      return void response.destroy()
    }
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', headers, body: Buffer.concat(chunks) }
    this.requests.push(request)
    response.setHeader('date', new Date(this.#now()).toUTCString())
    if (this.#tricks.shift()?.(request, response) === true) return
    const refused = refusalOf(request, this.account, this.#now())
    if (refused !== null) return refuse(response, refused.status, refused.code, refused.region)
    const { status, headers: theirs, bytes } = await this.#objects(request)
    response.writeHead(status, theirs).end(bytes)
  }
}

/** A refusal in the format of S3. */
export function refuse(response: ServerResponse, status: number, code: string, region?: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message>${region === undefined ? '' : `<Region>${region}</Region>`}</Error>`,
  )
}

/** A trick that refuses a request. */
export function refusing(status: number, code: string, region?: string): Trick {
  return (_request, response) => {
    refuse(response, status, code, region)
    return true
  }
}
