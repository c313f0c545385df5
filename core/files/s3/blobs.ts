import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Problem } from '../../problems/problem.js'
import { BlobsUnusable, checkId, type BlobStore, type LinkOptions } from '../blobs.js'
import { attachment, type ByteRange } from '../../runtime/file-names.js'
import { S3Client } from './client.js'
import { diagnosis, type S3Action } from './diagnosis.js'
import { S3Failure, unreachable } from './failure.js'
import { readPlace, type S3Place } from './place.js'
import { S3Signer, type S3Credentials } from './signer.js'
import { spool, type Spooled } from './spool.js'
import type { Transport, TransportReply } from '../../outbound/types.js'

/** Longest validity of a link to the store itself: each request of the gateway's own link creates a new one. */
const LINK_SECONDS = 300
const RETRY_SECONDS = 10
/** Types that browsers do not execute; others are sent as plain bytes, since the store cannot send nosniff or sandbox headers. */
const INERT =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:pdf|zip|gzip|json|octet-stream))$/

export interface S3Deps {
  readonly credentials: S3Credentials
  readonly transport: Transport
  readonly clock: Clock
  /** Folder for files that are being uploaded. */
  readonly spoolFolder: string
  readonly random?: () => number
}

interface S3Stream {
  readonly size: number
  readonly body: Readable
}

/**
 * Artifacts in a bucket of an S3-compatible store, one complete object each. Bytes are collected on the local disk
 * first, for the length and SHA-256 of one signed PUT: several servers corrupt streams with checksums in chunks.
 */
export class S3Blobs implements BlobStore {
  readonly #place: S3Place
  readonly #parts: S3Deps
  readonly #client: S3Client
  readonly #signer: S3Signer

  /** Throws a RangeError naming the setting and the part that is wrong. */
  constructor(setting: string, parts: S3Deps) {
    this.#place = readPlace(setting)
    this.#parts = parts
    this.#signer = new S3Signer(parts.credentials, this.#place.region)
    const { transport, clock, random = Math.random } = parts
    this.#client = new S3Client({ transport, signer: this.#signer, clock, random })
  }

  async write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number, cancel?: Cancel): Promise<number> {
    const url = this.#url(id)
    const spooled = await spool(data, maxBytes, this.#parts.spoolFolder)
    try {
      await this.#put(url, spooled, cancel)
      return spooled.size
    } catch (error) {
      throw forCaller(error, 'Files cannot be stored at the moment.')
    } finally {
      await spooled.close()
    }
  }

  async read(id: string, cancel?: Cancel, range: ByteRange | null = null): Promise<S3Stream | null> {
    try {
      return await this.#get(this.#url(id), cancel, range)
    } catch (error) {
      throw forCaller(error, 'The file cannot be read at the moment.')
    }
  }

  async remove(id: string): Promise<void> {
    await this.#delete(this.#url(id))
  }

  async link(id: string, { name, contentType, expiresAt }: LinkOptions): Promise<string | null> {
    checkId(id)
    const { linkBase } = this.#place
    const now = this.#parts.clock.now()
    const seconds = Math.min(LINK_SECONDS, Math.floor((expiresAt - now) / 1000))
    if (linkBase === null || seconds < 1) return null
    const about = {
      'cache-control': 'no-store',
      'content-disposition': attachment(name),
      'content-type': INERT.test(contentType) ? contentType : 'application/octet-stream',
    }
    return await this.#signer.link(linkBase + id, about, { now, seconds })
  }

  describe(): string {
    return `bucket ${this.#place.bucket} at ${new URL(this.#place.base).origin}, region ${this.#place.region}`
  }

  /** Writes, reads and deletes an object of a few bytes. Rejects with one line that names the problem and the setting to change. */
  async check(): Promise<void> {
    const url = this.#url(`check-${randomBytes(12).toString('hex')}`)
    const written = randomBytes(32)
    const probe = await spool(once(written), written.length, this.#parts.spoolFolder)
    await this.#diagnosed('write', () => this.#put(url, probe))
    const read = await this.#diagnosed('read', () => this.#get(url))
    const bytes = read === null ? null : await this.#diagnosed('read', () => wholeOf(read.body))
    await this.#diagnosed('delete', () => this.#delete(url))
    if (bytes?.equals(written) !== true) throw this.#unsound('did not return what was just written')
    const gone = await this.#diagnosed('find', () => this.#get(url))
    gone?.body.destroy()
    if (gone !== null) throw this.#unsound('kept what was just deleted')
  }

  async #put(url: string, upload: Spooled, cancel?: Cancel): Promise<void> {
    // Headers that make the object harmless even in a public bucket.
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
    await spent(await this.#client.send('PUT', url, { headers, upload, cancel }))
  }

  async #get(url: string, cancel?: Cancel, range: ByteRange | null = null): Promise<S3Stream | null> {
    try {
      const part = range === null ? {} : { headers: { range: `bytes=${range.from}-${range.to - 1}` } }
      const { headers, body } = await this.#client.send('GET', url, { cancel, ...part })
      const size = headers['content-length']
      // A store that ignores ranges would send other bytes than those that are announced.
      const fits = range === null || size === String(range.to - range.from)
      if (size !== undefined && /^\d+$/.test(size) && fits) return { size: Number(size), body }
      body.destroy()
      throw new S3Failure({ status: 200, code: fits ? 'NoContentLength' : 'NoRange' })
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async #delete(url: string): Promise<void> {
    try {
      await spent(await this.#client.send('DELETE', url))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  async #diagnosed<T>(action: S3Action, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error
      const message = diagnosis(error, action, { place: this.#place, now: this.#parts.clock.now() })
      throw new BlobsUnusable(message, { cause: error, transient: error.transient })
    }
  }

  #unsound(what: string): BlobsUnusable {
    return new BlobsUnusable(`the ${this.describe()} ${what}`, { transient: false })
  }

  #url(id: string): string {
    checkId(id)
    return this.#place.base + id
  }
}

/** Reads the reply's body to its end, so that its connection can be reused. */
async function spent(reply: TransportReply): Promise<void> {
  await wholeOf(reply.body)
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (error) {
    throw unreachable(error)
  }
  return Buffer.concat(chunks)
}

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(data)
}

/** True for a missing object; a missing bucket is an error of the configuration. */
function isMissing(error: unknown): boolean {
  return error instanceof S3Failure && error.facts.status === 404 && error.facts.code !== 'NoSuchBucket'
}

function forCaller(error: unknown, detail: string): unknown {
  return error instanceof S3Failure
    ? new Problem('overloaded', detail, { retryAfterSeconds: RETRY_SECONDS, internal: error.message, cause: error })
    : error
}
