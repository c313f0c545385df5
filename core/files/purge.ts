import type { Clock } from '../runtime/clock.js'
import type { ArtifactStore } from '../store/types.js'
import type { BlobStore } from './blobs.js'

/** Files per query. */
const AT_ONCE = 200
/** Concurrent deletions: an object store is slow. */
const ABREAST = 16
/** A purge ends after so many failures: the store is probably unavailable, and the next purge continues after them. */
const MOST_FAILURES = 1_000
/** A file that could not be deleted is retried after so many milliseconds. */
const PUT_BACK_MS = 3_600_000
/** Most files to put back; beyond that the oldest are retried sooner. */
const MOST_PUT_BACK = 10_000

/** Deletes expired files with their records. */
export class Purge {
  readonly #records: ArtifactStore
  readonly #blobs: BlobStore
  readonly #clock: Clock
  /** Files that could not be deleted, oldest failure first, with the monotonic milliseconds of their next attempt. */
  readonly #putBack = new Map<string, number>()

  constructor(parts: { records: ArtifactStore; blobs: BlobStore; clock: Clock }) {
    this.#records = parts.records
    this.#blobs = parts.blobs
    this.#clock = parts.clock
  }

  /**
   * Deletes expired files and returns their number. A file that cannot be deleted does not stop the others and is skipped for an hour;
   * rejects at the end with the first error.
   */
  async run(): Promise<number> {
    const now = this.#clock.monotonic()
    for (const [id, at] of this.#putBack) if (at <= now) this.#putBack.delete(id)
    const failures: unknown[] = []
    for (let purged = 0; ;) {
      const wanted = AT_ONCE + this.#putBack.size
      const expired = await this.#records.expired(this.#clock.now(), wanted)
      const due = expired.map(({ id }) => id).filter((id) => !this.#putBack.has(id))
      const failed = await this.#removeAll(due)
      purged += due.length - failed.length
      failures.push(...failed)
      if (expired.length === wanted && due.length > 0 && failures.length < MOST_FAILURES) continue
      if (failures.length > 0) throw new Error(`${failures.length} files stay: ${String(failures[0])}`, { cause: failures[0] })
      return purged
    }
  }

  /** Deletes files with their records; returns the errors of those that could not be deleted. */
  async #removeAll(ids: readonly string[]): Promise<unknown[]> {
    const failures: unknown[] = []
    for (let at = 0; at < ids.length; at += ABREAST)
      await Promise.all(
        ids.slice(at, at + ABREAST).map(async (id) => {
          try {
            await this.#remove(id)
          } catch (error) {
            failures.push(error)
          }
        }),
      )
    return failures
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.#blobs.remove(id)
    } catch (error) {
      this.#leave(id)
      throw error
    }
    await this.#records.remove(id)
  }

  #leave(id: string): void {
    this.#putBack.set(id, this.#clock.monotonic() + PUT_BACK_MS)
    const [oldest] = this.#putBack.keys()
    if (this.#putBack.size > MOST_PUT_BACK && oldest !== undefined) this.#putBack.delete(oldest)
  }
}
