import { type ArtifactRecord, type ArtifactStore, logFailedWork } from '../store/types.js'
import { type BlobStore, type CallFiles, type KeptFiles, once, readFailure, type ReadTerms, TooLarge } from './blobs.js'
import { randomBytes } from 'node:crypto'
import { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { settledOrStopped, Stopped } from '../problems/errors.js'
import type { Log } from '../runtime/log-events.js'
import { Problem } from '../problems/problem.js'
import { Fault, type FileInfo, type Stored } from '../sdk/index.js'
import { anyLink, type LinkSigner, type OpenedLink, ownLink } from './own-links.js'
import { safeName } from '../runtime/file-names.js'
import { Purge } from './purge.js'

const FIRST_STEP = 8 * 1024 * 1024
const LARGEST_STEP = 64 * 1024 * 1024
/** A step that does not fit is retried smaller by this factor, down to the bytes that have arrived. */
const SMALLER = 4

interface GrowingRoom {
  readonly records: Pick<ArtifactStore, 'grow'>
  readonly id: string
  readonly account: string
  readonly quota: number
  /** Bytes already reserved. */
  readonly reserved: number
  /** The largest stream, in bytes. */
  readonly most: number
  readonly now: () => number
  readonly noRoom: () => Error
}

/**
 * The chunks of a stream of unknown length, each passed on once quota is reserved for it: 8 MiB first, then steps that double up to 64 MiB.
 * Throws TooLarge above the largest stream, and the error of `noRoom` when the quota is used up.
 */
export async function* withRoom(data: AsyncIterable<Uint8Array>, room: GrowingRoom): AsyncGenerator<Uint8Array> {
  let [size, reserved, step, refused] = [0, room.reserved, FIRST_STEP, false]
  for await (const chunk of data) {
    size += chunk.length
    if (size > room.most) throw new TooLarge(`the file is larger than ${room.most} bytes`)
    if (size > reserved) {
      const taken = await grow(room, size - reserved, Math.min(step, room.most - reserved))
      refused ||= taken < step
      reserved += taken
      step = refused ? taken : Math.min(step * 2, LARGEST_STEP)
    }
    yield chunk
  }
}

/** Reserves `wanted` bytes, or fewer when they do not fit, but at least `needed`; returns how many. */
async function grow({ records, noRoom, now, ...room }: GrowingRoom, needed: number, wanted: number): Promise<number> {
  const { id, account, quota } = room
  for (let bytes = Math.max(needed, wanted); ; bytes = Math.max(needed, Math.floor(bytes / SMALLER))) {
    if (await records.grow({ id, account, bytes, quota, now: now() })) return bytes
    if (bytes === needed) throw noRoom()
  }
}

/** The largest stream, in bytes. */
const STREAM_BYTES = 1024 * 1024 * 1024
const PURGE_MS = 60_000
/** Least quota that a file uses, in bytes: it also needs a disk block, an inode and a record. */
const LEAST_ROOM = 16 * 1024
/** Most files of an account: each uses at least this part of the quota. */
const MOST_FILES = 100_000
/** Longest wait for the removal of a file that could not be written, in milliseconds. */
const UNDO_MS = 2_500
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

interface ArtifactSettings {
  readonly ttlSeconds: number
  readonly quotaBytes: number
  /** Least quota that a file uses, in bytes; 16 KiB by default. */
  readonly leastRoom?: number
  /** The largest stream, in bytes; 1 GiB by default. */
  readonly streamBytes?: number
  /** Public base address of links, without a trailing slash. */
  readonly publicUrl: () => string
}

interface Opening {
  readonly cancel?: Cancel | undefined
  /** A Range header, of which the store reads the bytes. */
  readonly range?: string | undefined
}

/** Files of calls, kept for a limited time behind signed links, within a quota of the account. */
export class Artifacts implements CallFiles, KeptFiles {
  readonly #records: ArtifactStore
  readonly #blobs: BlobStore
  readonly #links: LinkSigner
  readonly #clock: Clock
  readonly #settings: ArtifactSettings
  readonly #purge: Purge
  readonly #leastRoom: number
  #stopPurge: () => void = () => undefined

  constructor(parts: { records: ArtifactStore; blobs: BlobStore; links: LinkSigner; clock: Clock; settings: ArtifactSettings }) {
    this.#records = parts.records
    this.#blobs = parts.blobs
    this.#links = parts.links
    this.#clock = parts.clock
    this.#settings = parts.settings
    this.#purge = new Purge(parts)
    this.#leastRoom = Math.max(parts.settings.leastRoom ?? LEAST_ROOM, Math.ceil(parts.settings.quotaBytes / MOST_FILES))
  }

  /**
   * Stores a file of a call; `mostBytes` overrides the size limit. Throws an `overloaded` problem naming the quota when there is no space,
   * an `invalid` Fault naming the limit for a stream that is too large, and Stopped as soon as `cancel` ends the work.
   */
  async put(
    account: string,
    data: Uint8Array | AsyncIterable<Uint8Array>,
    about: FileInfo & { readonly mostBytes?: number },
    cancel?: Cancel,
  ): Promise<Stored> {
    const now = this.#clock.now()
    const ttl = about.ttlSeconds ?? this.#settings.ttlSeconds
    const record = await this.#write(account, data, {
      name: safeName(about.name),
      contentType: mediaType(about.contentType),
      expires: now + ttl * 1000,
      mostBytes: about.mostBytes,
      cancel,
    })
    const expires = Math.floor(record.expires_at / 1000)
    return {
      id: record.id,
      url: this.#settings.publicUrl() + this.#links.sign(record.id, record.name, expires),
      size: record.size,
      expires_at: new Date(expires * 1000).toISOString(),
      content_type: record.content_type,
    }
  }

  /** The file behind a link, or the range of it; null for any kind of invalid link. */
  async open(id: string, expires: string, signature: string, options: Opening = {}): Promise<OpenedLink | null> {
    const { cancel, range } = options
    if (!this.#links.valid(id, expires, signature, this.#clock.now())) return null
    const record = await this.#records.get(id)
    const blob = record === null ? null : await this.#read(id, cancel, range)
    return record === null || blob === null ? null : { record, ...blob }
  }

  /**
   * The file behind an address that is a link of this gateway: below its public address, or signed by it for any host, such as
   * `localhost`; null for any other address. Throws an `invalid` Fault for a link that has expired or was modified, or whose file was
   * deleted. Throws Stopped once `cancel` ends the work, which also ends the body.
   */
  async openLink(address: string, cancel?: Cancel): Promise<OpenedLink | null> {
    const own = ownLink(address, this.#settings.publicUrl())
    const link = own ?? anyLink(address)
    if (link === null) return null
    const { id, expires, signature } = link
    if (own === null && !this.#links.signed(id, expires, signature)) return null
    const file = await this.open(id, expires, signature, { cancel })
    if (file !== null) return file
    if (this.#links.expired(id, expires, signature, this.#clock.now()))
      throw new Fault('invalid', 'The link to a file of this gateway has expired.')
    throw new Fault('invalid', 'The link was not made by this gateway, or its file has been deleted.')
  }

  /** An address in the store, valid for a few minutes; null when the gateway serves the bytes, or the link is invalid. */
  async link(id: string, expires: string, signature: string): Promise<string | null> {
    if (this.#blobs.link === undefined || !this.#links.valid(id, expires, signature, this.#clock.now())) return null
    const record = await this.#records.get(id)
    if (record === null) return null
    return await this.#blobs.link(id, { name: record.name, contentType: record.content_type, expiresAt: Number(expires) * 1000 })
  }

  async write(account: string, data: Uint8Array, expires: number, cancel?: Cancel): Promise<string> {
    const record = await this.#write(account, data, { name: 'answer', contentType: 'application/octet-stream', expires, cancel })
    return record.id
  }

  async read(file: string, { cancel, room = null }: ReadTerms = {}): Promise<Uint8Array> {
    const blob = await this.#read(file, cancel)
    if (blob === null)
      throw new Problem('idempotency-conflict', 'The answer kept for this Idempotency-Key is gone.', {
        internal: `artifact ${file} is missing`,
      })
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of blob.body) {
        // In the loop, so that a refusal closes the stream.
        if (chunks.length === 0) room?.reserve(blob.size)
        chunks.push(chunk)
      }
    } catch (error) {
      throw readFailure(error)
    }
    return Buffer.concat(chunks)
  }

  /** Deletes a file whose link was not handed out; one that cannot be deleted now is left to the next purge. */
  async discard(id: string): Promise<void> {
    await this.#undo({ id })
  }

  /** Starts deleting expired files, once a minute unless the previous purge is still running. */
  startPurge(log: Log): void {
    let purging = false
    const purge = async (): Promise<void> => {
      if (purging) return
      purging = true
      try {
        await this.purge()
      } catch (error) {
        logFailedWork(log, { event: 'files-not-purged', message: 'expired files could not be deleted yet', error })
      } finally {
        purging = false
      }
    }
    this.#stopPurge = this.#clock.every(PURGE_MS, () => void purge())
  }

  /** Deletes expired files and returns their number. An error of one does not stop the others, and rejects at the end. */
  purge(): Promise<number> {
    return this.#purge.run()
  }

  close(): void {
    this.#stopPurge()
  }

  async #write(
    account: string,
    data: Uint8Array | AsyncIterable<Uint8Array>,
    about: { name: string; contentType: string; expires: number; mostBytes?: number | undefined; cancel?: Cancel | undefined },
  ): Promise<ArtifactRecord> {
    const { cancel = new Cancel(this.#clock, Infinity) } = about
    const mostBytes = about.mostBytes ?? this.#settings.streamBytes ?? STREAM_BYTES
    const record: ArtifactRecord = {
      id: randomBytes(16).toString('base64url'),
      account,
      name: about.name,
      content_type: about.contentType,
      size: this.#roomOf(data instanceof Uint8Array ? data.length : 0),
      created_at: this.#clock.now(),
      expires_at: about.expires,
    }
    if (!(await this.#records.reserve(record, this.#settings.quotaBytes))) throw this.#noRoom()
    const writing =
      data instanceof Uint8Array
        ? this.#blobs.write(record.id, once(data), data.length, cancel)
        : this.#blobs.write(record.id, withRoom(untilStopped(data, cancel), this.#growing(record, mostBytes)), mostBytes, cancel)
    try {
      const size = await settledOrStopped(writing, cancel)
      await this.#records.settle(record.id, this.#roomOf(size))
      return { ...record, size }
    } catch (error) {
      const undo = async (): Promise<void> => await this.#undo(record)
      const { cancel: brief, done } = cancel.step(UNDO_MS)
      try {
        await settledOrStopped(writing.then(undo, undo), brief)
      } catch (failure) {
        // A store that does not answer does not delay the call: the work continues in the background, and the purge deletes its remains.
        if (!(failure instanceof Stopped)) throw failure
      } finally {
        done()
      }
      throw error instanceof TooLarge ? tooLarge(mostBytes, error) : error
    }
  }

  async #read(id: string, cancel: Cancel | undefined, range?: string): ReturnType<BlobStore['read']> {
    const reading = this.#blobs.read(id, cancel, range)
    return await (cancel === undefined ? reading : settledOrStopped(reading, cancel))
  }

  /** Releases the quota. If the bytes cannot be deleted now, their record stays with size 0 for the purge. */
  async #undo({ id }: Pick<ArtifactRecord, 'id'>): Promise<void> {
    const removed = await this.#blobs.remove(id).then(
      () => true,
      () => false,
    )
    await (removed ? this.#records.remove(id) : this.#records.settle(id, 0))
  }

  /** The quota that a file of so many bytes uses. */
  #roomOf(bytes: number): number {
    return Math.max(bytes, this.#leastRoom)
  }

  #growing({ id, account, size: reserved }: ArtifactRecord, most: number): GrowingRoom {
    return {
      records: this.#records,
      id,
      account,
      quota: this.#settings.quotaBytes,
      reserved,
      most,
      now: () => this.#clock.now(),
      noRoom: () => this.#noRoom(),
    }
  }

  #noRoom(): Problem {
    const gib = (this.#settings.quotaBytes / 1024 ** 3).toFixed(2)
    return new Problem(
      'overloaded',
      `The account's files would take more than its quota of ${gib} GiB (artifacts_quota), of which each takes at least ${this.#leastRoom} bytes: at most ${MOST_FILES} files; files expire by themselves.`,
      { retryAfterSeconds: 60 },
    )
  }
}

function tooLarge(mostBytes: number, cause: TooLarge): Fault {
  return new Fault('invalid', `The file is larger than ${mostBytes} bytes, the most that a stored file may have.`, { cause })
}

async function* untilStopped(data: AsyncIterable<Uint8Array>, cancel: Cancel): AsyncIterable<Uint8Array> {
  for await (const chunk of data) {
    if (cancel.reason !== null) throw new Stopped(cancel.reason)
    yield chunk
  }
}

function mediaType(given: string | undefined): string {
  const type = (given ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream'
}
