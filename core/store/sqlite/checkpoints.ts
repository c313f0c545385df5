import { Worker } from 'node:worker_threads'
import type { CopyJob } from './backup.js'
import type { Database, Query } from './database.js'
import { sqliteCode } from './failure.js'

/** Pages of the log that start a checkpoint. */
const LONG = 4_000
/** More pages than this are copied on a separate thread, so that no commit waits for them. */
const MUCH = 8_000
/** Pause between checkpoints that a reader blocks, in milliseconds; doubled each time that nothing could be copied. */
const AGAIN_MS = 50
const LONGEST_WAIT_MS = 1_000

interface LogState {
  readonly log: number
  readonly checkpointed: number
}

interface CheckpointOptions {
  readonly file: string
  /** Copy long logs on another thread: commits of this one must not wait. */
  readonly elsewhere: boolean
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
}

/**
 * Decides when the write-ahead log is copied into the file (sqlite.org/wal.html, "Checkpointing"). SQLite by default
 * does so within a commit, all at once: after a reader that blocked a log of hundreds of megabytes, one commit would
 * take a second, and while readers overlap without a gap, each commit would copy and sync.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions
  readonly #state: Query<LogState>
  readonly #copy: Query<LogState>
  #tried = -Infinity
  #wait = AGAIN_MS
  /** Pages copied at the last try. */
  #reached = -1
  #copying = false

  constructor(db: Database, options: CheckpointOptions) {
    this.#options = options
    this.#state = db.query<LogState>('pragma wal_checkpoint(noop)')
    this.#copy = db.query<LogState>('pragma wal_checkpoint(passive)')
  }

  /** Call it after each commit, once its callers are answered. */
  copyIfDue(): void {
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
      // A full or failing disk: the commits are durable, copying is retried, and the gateway warns of a growing log.
      if (sqliteCode(error) === null) throw error
    }
  }

  #copyElsewhere(): void {
    this.#copying = true
    const job: CopyJob = { source: this.#options.file, target: null }
    const worker = new Worker(new URL('./copier.js', import.meta.url), { workerData: job, name: 'checkpoint' })
    worker.unref()
    worker.once('error', () => undefined)
    worker.once('exit', () => (this.#copying = false))
  }
}
