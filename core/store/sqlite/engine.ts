import { DiskReserve } from './disk-reserve.js'
import { Database } from './database.js'
import { migrate, refusal } from './migrate.js'
import { Runner } from './runner.js'

export interface EngineOptions {
  readonly file: string
  /** How long a write waits for another process's, in ms. */
  readonly busyMs: number
  /** Size of the file kept for a full disk, 0 for none. */
  readonly reserveBytes: number
}

export interface Engine {
  readonly db: Database
  readonly runner: Runner
}

/** Opens the file, brings it to this version's schema and prepares the commands. Throws StoreRefused with one line for the operator. */
export function openEngine(options: EngineOptions): Engine {
  let db: Database | null = null
  try {
    db = new Database({ file: options.file, busyMs: options.busyMs })
    migrate(db, options.file)
  } catch (error) {
    db?.close()
    throw refusal(error, options.file)
  }
  const reserve = new DiskReserve({ file: `${options.file}.reserve`, bytes: options.reserveBytes, monotonic: () => performance.now() })
  reserve.fill()
  return { db, runner: new Runner(db, reserve) }
}
