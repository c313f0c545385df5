import { statSync } from 'node:fs'
import { Checkpoints } from './checkpoints.js'
import { Database } from './database.js'
import { DiskReserve } from './disk-reserve.js'
import { refusal } from './failure.js'
import { StoreRefused } from '../types.js'
import { Runner } from './runner.js'
import { prepare } from './schema.js'

export interface EngineOptions {
  readonly file: string
  /** How long a write waits for that of another process, in ms. */
  readonly busyMs: number
  /** Size of the disk reserve in bytes, 0 for none. */
  readonly reserveBytes: number
  /** The file was open before: when it is missing or empty now, it is not created again. */
  readonly reopened?: boolean
}

export interface Engine {
  readonly db: Database
  readonly runner: Runner
  readonly checkpoints: Checkpoints
  /** Throws when the opened file is no longer under its name, because writes to it would be lost. */
  readonly assertThere: () => void
}

/** The disk reserve of a ledger. */
export function reserveFile(ledger: string): string {
  return `${ledger}.reserve`
}

/** Opens and checks the file or creates its tables. Throws StoreRefused with one line for the operator. */
export function openEngine(options: EngineOptions, thread: 'own' | 'shared'): Engine {
  let db: Database | null = null
  if (options.reopened === true && (statSync(options.file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new StoreRefused(gone(options.file))
  try {
    db = new Database({ file: options.file, busyMs: options.busyMs })
    prepare(db, options.file)
  } catch (error) {
    db?.close()
    throw refusal(error, options.file)
  }
  const reserve = new DiskReserve({ file: reserveFile(options.file), bytes: options.reserveBytes, monotonic: () => performance.now() })
  reserve.fill()
  const monotonic = (): number => performance.now()
  const checkpoints = new Checkpoints(db, { file: options.file, elsewhere: thread === 'own', monotonic })
  const { ino } = statSync(options.file)
  const assertThere = (): void => {
    if (statSync(options.file, { throwIfNoEntry: false })?.ino !== ino) throw new Error(gone(options.file))
  }
  return { db, runner: new Runner(db, reserve), checkpoints, assertThere }
}

function gone(file: string): string {
  return `the ledger ${file} was removed or replaced under the running gateway: put it back, or stop the gateway and restore a backup`
}
