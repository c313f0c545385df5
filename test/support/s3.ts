import { createRequire } from 'node:module'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../core/clock.js'
import { S3Blobs, type S3Deps } from '../../core/files/s3/blobs.js'
import { Connector } from '../../core/outbound/connector.js'
import { Guard } from '../../core/outbound/guard.js'
import { AllowList } from '../../core/outbound/allow.js'
import { NameServers } from '../../core/outbound/name-servers.js'
import { Resolver } from '../../core/outbound/resolver.js'
import { Sockets } from '../../core/outbound/sockets.js'
import type { HandClock } from './outbound.js'
import { OperatorHttp } from '../../core/outbound/operator.js'
import { refusalOf, type Account, type WireRequest } from './s3-verifier.js'
import { TemporaryFolder } from './store.js'
import { settle } from './unit.js'

export const BUCKET = 'capstan-files'
export const ACCOUNT: Account = {
  accessKeyId: 'AKIDEXAMPLE0000001',
  secretAccessKey: 'canary-secret-key/with+signs=0123456789',
  sessionToken: null,
  region: 'eu-test-1',
}

/** Answers a request instead of the store; false lets it through. */
export type Trick = (request: WireRequest, response: ServerResponse) => boolean

/** The store of the tests: s3rver for the objects, and in front of it a gate that verifies every signature, which s3rver does not. */
export class S3Server {
  readonly requests: WireRequest[] = []
  readonly account: Account
  readonly #clock: Clock
  readonly #folder = new TemporaryFolder()
  readonly #inner: S3rver
  readonly #gate = createServer((request, response) => void this.#serve(request, response))
  #innerPort = 0
  #tricks: Trick[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock, account: Account = ACCOUNT) {
    this.#clock = clock
    this.account = account
    this.#inner = new (s3rver())({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: this.#folder.path,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    })
  }

  async start(): Promise<this> {
    this.#innerPort = (await this.#inner.run()).port
    await new Promise<void>((resolve) => this.#gate.listen(0, '127.0.0.1', resolve))
    return this
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#gate.address() as AddressInfo).port}`
  }

  setting(more = ''): string {
    return `s3://${BUCKET}/artifacts?region=${this.account.region}&endpoint=${this.endpoint}${more}`
  }

  /** The next requests meet these, in order, one each. */
  trick(...tricks: Trick[]): void {
    this.#tricks.push(...tricks)
  }

  /** Keys of all objects, asked from the store itself. */
  async keys(): Promise<string[]> {
    const { text } = await this.#ask({ method: 'GET', target: `/${BUCKET}?max-keys=1000`, headers: {}, body: Buffer.alloc(0) })
    return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '')
  }

  async close(): Promise<void> {
    this.#gate.closeAllConnections()
    await new Promise((resolve) => this.#gate.close(resolve))
    await this.#inner.close()
    this.#folder.remove()
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
    response.setHeader('date', new Date(this.#clock.now()).toUTCString())
    if (this.#tricks.shift()?.(request, response) === true) return
    const refusal = refusalOf(request, this.account, this.#clock.now())
    if (refusal !== null) return refuse(response, refusal.status, refusal.code, refusal.region)
    // One at a time: s3rver makes and removes folders of its own, and answers 500 when two requests meet there.
    const asking = this.#turn.then(() => this.#ask(request))
    this.#turn = asking.catch(() => undefined)
    const { status, headers: theirs, bytes } = await asking
    delete theirs['date']
    response.writeHead(status, theirs as Record<string, string>).end(bytes)
  }

  /** Passes a request on in the store's own name: its clock is the real one, and it checks no more than the name. */
  #ask({ method, target, headers, body }: WireRequest) {
    const url = new URL(target, `http://127.0.0.1:${this.#innerPort}`)
    for (const name of [...url.searchParams.keys()]) if (/^x-amz-/i.test(name)) url.searchParams.delete(name)
    const kept = Object.entries(headers).filter(([name]) => !/^(?:authorization|host|connection|x-amz-.*)$/.test(name))
    const own = {
      'x-amz-date': new Date().toISOString().replace(/[:-]|\.\d{3}/g, ''),
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      authorization: 'AWS4-HMAC-SHA256 Credential=S3RVER/x, SignedHeaders=host, Signature=0',
    }
    return new Promise<{ status: number; headers: IncomingMessage['headers']; bytes: Buffer; text: string }>((resolve, reject) => {
      const asking = forward(url, { method, headers: { ...Object.fromEntries(kept), ...own } }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({ status: reply.statusCode ?? 500, headers: reply.headers, bytes, text: bytes.toString() })
        })
      })
      asking.on('error', reject)
      asking.end(body)
    })
  }
}

/** An answer as S3 refuses. */
export function refuse(response: ServerResponse, status: number, code: string, region?: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message>${region === undefined ? '' : `<Region>${region}</Region>`}</Error>`,
  )
}

/** A trick that refuses. */
export function refusing(status: number, code: string, region?: string): Trick {
  return (_request, response) => {
    refuse(response, status, code, region)
    return true
  }
}

/** A trick that lets the request through as if there were none. */
export const honest: Trick = () => false

/** The end of work, while the pauses between its tries pass. */
export async function through<T>(clock: HandClock, work: Promise<T>): Promise<T> {
  let over = false
  const end = (): void => void (over = true)
  work.then(end, end)
  while (!over) {
    await settle(1)
    clock.advance(1)
  }
  return work
}

/** Streaming HTTP as the gateway makes it, to private addresses too. */
export function operatorHttp(clock: Clock): OperatorHttp {
  const resolver = new Resolver(new NameServers(null, clock), clock)
  return new OperatorHttp(new Connector(new Guard(new AllowList([]), resolver), new Sockets(), null), clock)
}

/** Blobs in the store, signed as its account is unless told otherwise. */
export function blobsOn(
  server: S3Server,
  parts: Omit<S3Deps, 'credentials' | 'random'>,
  more: { options?: string; account?: Partial<Account> } = {},
): S3Blobs {
  const { accessKeyId, secretAccessKey, sessionToken } = { ...server.account, ...more.account }
  return new S3Blobs(server.setting(more.options), {
    ...parts,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    random: () => 0,
  })
}

interface S3rver {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

function s3rver(): new (options: object) => S3rver {
  return createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver
}
