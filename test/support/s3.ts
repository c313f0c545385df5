import { createRequire } from 'node:module'
import { request as forward } from 'node:http'
import type { Clock } from '../../core/runtime/clock.js'
import { S3Blobs, type S3Deps } from '../../core/files/s3/blobs.js'
import { Connector } from '../../core/outbound/connector.js'
import { Guard } from '../../core/outbound/guard.js'
import { AllowList } from '../../core/outbound/allow.js'
import { NameServers } from '../../core/outbound/name-servers.js'
import { Resolver } from '../../core/outbound/resolver.js'
import { Sockets } from '../../core/outbound/sockets.js'
import type { HandClock } from './outbound.js'
import { OperatorHttp } from '../../core/outbound/operator.js'
import type { StoreReply } from '../../core/sdk/testkit/s3-objects.js'
import { S3TestServer, type Trick } from '../../core/sdk/testkit/s3-server.js'
import type { S3Account, WireRequest } from '../../core/sdk/testkit/s3-verifier.js'
import { TemporaryFolder } from './store.js'
import { settle } from './unit.js'

export { refuse, refusing, type Trick } from '../../core/sdk/testkit/s3-server.js'

export const BUCKET = 'capstan-files'
export const ACCOUNT: S3Account = {
  accessKeyId: 'AKIDEXAMPLE0000001',
  secretAccessKey: 'canary-secret-key/with+signs=0123456789',
  sessionToken: null,
  region: 'eu-test-1',
}

/** The store of the tests: the one of the testkit, which verifies every signature, before the objects of s3rver, which is nobody's of this project. */
export class S3Server extends S3TestServer {
  readonly #inner: Inner

  constructor(clock: Clock, account: S3Account = ACCOUNT) {
    const inner = new Inner()
    super({ bucket: BUCKET, account, now: () => clock.now(), objects: (request) => inner.request(request) })
    this.#inner = inner
  }

  override async start(): Promise<this> {
    await this.#inner.start()
    return await super.start()
  }

  get endpoint(): string {
    return this.url
  }

  setting(more = ''): string {
    return `s3://${BUCKET}/artifacts?region=${this.account.region}&endpoint=${this.endpoint}${more}`
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#inner.close()
  }
}

class Inner {
  readonly #folder = new TemporaryFolder()
  readonly #server: S3rver = new (s3rver())({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: this.#folder.path,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  #port = 0
  #turn: Promise<unknown> = Promise.resolve()

  async start(): Promise<void> {
    this.#port = (await this.#server.run()).port
  }

  async close(): Promise<void> {
    await this.#server.close()
    this.#folder.remove()
  }

  /** One at a time: s3rver makes and removes folders of its own, and answers 500 when two requests meet there. */
  request(request: WireRequest): Promise<StoreReply> {
    const replied = this.#turn.then(() => this.#request(request))
    this.#turn = replied.catch(() => undefined)
    return replied
  }

  /** Passes a request on in the store's own name: its clock is the real one, and it checks no more than the name. */
  #request({ method, target, headers, body }: WireRequest): Promise<StoreReply> {
    const url = new URL(target, `http://127.0.0.1:${this.#port}`)
    for (const name of [...url.searchParams.keys()]) if (/^x-amz-/i.test(name)) url.searchParams.delete(name)
    const kept = Object.entries(headers).filter(([name]) => !/^(?:authorization|host|connection|x-amz-.*)$/.test(name))
    const own = {
      'x-amz-date': new Date().toISOString().replace(/[:-]|\.\d{3}/g, ''),
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      authorization: 'AWS4-HMAC-SHA256 Credential=S3RVER/x, SignedHeaders=host, Signature=0',
    }
    return new Promise((resolve, reject) => {
      const forwarded = forward(url, { method, headers: { ...Object.fromEntries(kept), ...own } }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const theirs = Object.entries(reply.headers).filter(([name]) => name !== 'date')
          resolve({
            status: reply.statusCode ?? 500,
            headers: Object.fromEntries(theirs) as Record<string, string>,
            bytes: Buffer.concat(chunks),
          })
        })
      })
      forwarded.on('error', reject)
      forwarded.end(body)
    })
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

/** Blobs in the store, signed for its account by default. */
export function blobsOn(
  server: S3Server,
  parts: Omit<S3Deps, 'credentials' | 'random'>,
  more: { options?: string; account?: Partial<S3Account> } = {},
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
