import { randomBytes } from 'node:crypto'
import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Problem } from '../../problems/problem.js'
import { BlobsUnusable, checkId, once, type BlobStore, type BlobStream, type LinkOptions } from '../blobs.js'
import { attachment, rangeOf } from '../../runtime/file-names.js'
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

  async read(id: string, cancel?: Cancel, range?: string): Promise<BlobStream | null> {
    const url = this.#url(id)
    try {
      if (range?.startsWith('bytes=-') !== true) return await this.#get(url, cancel, range)
      // Some stores read the last bytes as the first ones: their place is computed.
      const first = await this.#get(url, cancel, 'bytes=0-1')
      if (first === null || first.range === null) return first
      await wholeOf(first.body)
      const part = rangeOf(range, first.whole)
      return await this.#get(url, cancel, part === null ? undefined : `bytes=${part.from}-${part.to - 1}`)
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

  /** Writes, reads and deletes a small object. Rejects with one line that names the problem and the setting to change. */
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
    if (gone === null) return
    await this.#diagnosed('find', () => wholeOf(gone.body))
    throw this.#unsound('kept what was just deleted')
  }

  async #put(url: string, upload: Spooled, cancel?: Cancel): Promise<void> {
    // Headers that make the object harmless even in a public bucket.
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
    await spent(await this.#client.send('PUT', url, { headers, upload, cancel }))
  }

  /** The object, or the range of it; all of it where the store does not have or does not send that range. */
  async #get(url: string, cancel?: Cancel, range?: string): Promise<BlobStream | null> {
    try {
      const part = rangeOf(range, Number.MAX_SAFE_INTEGER) === null ? {} : { headers: { range: String(range) } }
      const reply = await this.#client.send('GET', url, { cancel, ...part })
      const stream = streamOf(reply, range)
      if (stream !== null) return stream
      reply.body.destroy()
      if (!range || reply.status !== 206) throw new S3Failure({ status: reply.status, code: 'NoContentLength' })
      return await this.#get(url, cancel)
    } catch (error) {
      if (isMissing(error)) return null
      if (range && error instanceof S3Failure && error.facts.status === 416) return await this.#get(url, cancel)
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

/** The bytes of a reply to a GET with this Range header; null without a length, and for another range. */
function streamOf({ status, headers, body }: TransportReply, wanted: string | undefined): BlobStream | null {
  const length = headers['content-length'] ?? ''
  if (!/^\d+$/.test(length)) return null
  const size = Number(length)
  if (status !== 206) return { size, whole: size, range: null, body }
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const whole = Number(total)
  const range = rangeOf(wanted, whole)
  const fits = range?.from === Number(first) && range.to === Number(last) + 1 && range.to - range.from === size
  return fits ? { size, whole, range, body } : null
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

/** True for a missing object; a missing bucket is an error of the configuration. */
function isMissing(error: unknown): boolean {
  return error instanceof S3Failure && error.facts.status === 404 && error.facts.code !== 'NoSuchBucket'
}

function forCaller(error: unknown, detail: string): unknown {
  return error instanceof S3Failure
    ? new Problem('overloaded', detail, { retryAfterSeconds: RETRY_SECONDS, internal: error.message, cause: error })
    : error
}
