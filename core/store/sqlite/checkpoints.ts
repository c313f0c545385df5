import { Worker } from 'node:worker_threads'
import type { Database, Query } from './database.js'
import { sqliteCode } from './failure.js'

/** Pages of the log from which on it is copied into the file, so that it can begin anew. */
const LONG = 4_000
/** More pages than this are copied on a thread of their own, so that no commit waits for them. */
const MUCH = 8_000
/** While a reader keeps a long log from beginning anew, copying is tried again after so long, in milliseconds; twice as long each time that nothing could be copied. */
const AGAIN_MS = 50
const LONGEST_WAIT_MS = 1_000

interface LogState {
  readonly log: number
  readonly checkpointed: number
}

interface CheckpointOptions {
  readonly file: string
  /** This thread has commits to make that must not wait. */
  readonly elsewhere: boolean
  /** Milliseconds that never jump. */
  readonly monotonic: () => number
}

/**
 * When the write-ahead log is copied into the file (sqlite.org/wal.html, "Checkpointing"). SQLite by itself does it within a commit, and all at
 * once: behind a reader that kept a log of hundreds of megabytes from being copied, one commit would take a second, and while readers take
 * turns without a gap, each commit would copy and sync.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions
  readonly #state: Query<LogState>
  readonly #copy: Query<LogState>
  #tried = -Infinity
  #wait = AGAIN_MS
  /** How far the log was copied when that was last tried. */
  #reached = -1
  #copying = false

  constructor(db: Database, options: CheckpointOptions) {
    this.#options = options
    this.#state = db.query<LogState>('pragma wal_checkpoint(noop)')
    this.#copy = db.query<LogState>('pragma wal_checkpoint(passive)')
  }

  /** To be called behind each commit, once its callers are answered. */
  look(): void {
    const { log, checkpointed } = this.#state.get() ?? { log: 0, checkpointed: 0 }
    const now = this.#options.monotonic()
    if (log < LONG || log === checkpointed || this.#copying || now - this.#tried < this.#wait) return
    this.#tried = now
    this.#wait = checkpointed === this.#reached ? Math.min(this.#wait * 2, LONGEST_WAIT_MS) : AGAIN_MS
    this.#reached = checkpointed
    if (this.#options.elsewhere && log - checkpointed > MUCH) this.#copyElsewhere()
    else this.#copyHere()
  }

  #copyHere(): void {
    try {
      this.#copy.get()
    } catch (error) {
      // A full or failing disk: the commits stand, copying is tried again, and of a log that grows meanwhile the gateway warns.
      if (sqliteCode(error) === null) throw error
    }
  }

  #copyElsewhere(): void {
    this.#copying = true
    const worker = new Worker(new URL('./log-copier.js', import.meta.url), { workerData: this.#options.file, name: 'checkpoint' })
    worker.unref()
    worker.once('error', () => undefined)
    worker.once('exit', () => (this.#copying = false))
  }
}
