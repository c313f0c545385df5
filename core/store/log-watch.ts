import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Store } from './types.js'

/** Interval between checks, in milliseconds. */
const CHECK_MS = 10_000
/** Size of the first warning, in bytes; more follow at every doubling. Four times the log's size without long reads. */
const LARGE_BYTES = 256 * 1024 * 1024
const MIB = 1024 * 1024

/** Warns while the write-ahead log of an embedded ledger grows: a long read keeps it from being checkpointed. */
export class LogWatch {
  readonly #store: Pick<Store, 'logBytes'>
  readonly #clock: Clock
  readonly #log: Log
  #stop: () => void = () => undefined
  #limit = LARGE_BYTES
  #unknown = false

  constructor(store: Pick<Store, 'logBytes'>, clock: Clock, log: Log) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  /** Starts watching; does nothing on a store without such a log. */
  start(): void {
    if (this.#store.logBytes !== undefined) this.#stop = this.#clock.every(CHECK_MS, () => this.#check())
  }

  close(): void {
    this.#stop()
  }

  /** Bytes of the log; NaN while the file system does not report it, which is logged once. */
  get bytes(): number {
    try {
      const bytes = this.#store.logBytes?.() ?? 0
      this.#unknown = false
      return bytes
    } catch (error) {
      if (!this.#unknown)
        this.#log('ledger-log-unreadable', "the size of the ledger's write-ahead log cannot be read", { error: String(error) })
      this.#unknown = true
      return NaN
    }
  }

  #check(): void {
    const { bytes } = this
    if (bytes >= this.#limit) {
      this.#log('ledger-log-large', `the ledger's write-ahead log has grown to ${Math.round(bytes / MIB)} MiB beside its file`, {
        bytes,
        action:
          'Let a running `capstan ledger check`, backup or other reader of the file end; the log is emptied then. See that the disk has room.',
      })
      while (this.#limit <= bytes) this.#limit *= 2
    } else if (this.#limit > LARGE_BYTES && bytes < LARGE_BYTES) {
      this.#log('ledger-log-small', "the ledger's write-ahead log is small again", { bytes })
      this.#limit = LARGE_BYTES
    }
  }
}
