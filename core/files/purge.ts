import type { Clock } from '../runtime/clock.js'
import type { ArtifactStore } from '../store/types.js'
import type { BlobStore } from './blobs.js'

/** Files looked up at once. */
const AT_ONCE = 200
/** Deletions under way together: an object store takes its time over each. */
const ABREAST = 16
/** A purge ends after so many failures: the place is probably away, and the next purge goes on behind them. */
const MOST_FAILURES = 1_000
/** A file that could not be deleted is tried again after so many milliseconds. */
const PUT_BACK_MS = 3_600_000
/** Files put back at one time; when there are more, the oldest of them are tried again sooner. */
const MOST_PUT_BACK = 10_000

/** Deletes expired files with their records. */
export class Purge {
  readonly #records: ArtifactStore
  readonly #blobs: BlobStore
  readonly #clock: Clock
  /** Files that could not be deleted, oldest failure first, with the monotonic milliseconds from which they are tried again. */
  readonly #putBack = new Map<string, number>()

  constructor(parts: { records: ArtifactStore; blobs: BlobStore; clock: Clock }) {
    this.#records = parts.records
    this.#blobs = parts.blobs
    this.#clock = parts.clock
  }

  /**
   * Deletes what has expired and answers how much. A file that cannot be deleted holds up no other and is left alone for an hour; rejects
   * at the end with the first of their errors.
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

  /** Deletes files with their records; the errors of those that stay. */
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
