import type { Clock } from './clock.js'
import type { Log } from './log-events.js'

/** Interval of checks, in milliseconds. */
const CHECK_MS = 10_000
/** The same while calls fail, possibly because of a full disk. */
const SOON_MS = 1_000
const MIB = 1024 * 1024

/** Parts of the gateway that write to a disk. */
type DiskPart = 'ledger' | 'files' | 'temporary'

/** A folder that is written to, and the condition under which its disk counts as full. */
export interface WatchedDisk {
  readonly part: DiskPart
  readonly folder: string
  /** Bytes that may still be written; throws when the file system does not report it. */
  readonly free: () => number
  readonly full: () => boolean
}

export interface DiskState {
  readonly part: DiskPart
  readonly folder: string
  readonly full: boolean
  /** Bytes; null when the file system does not report it. */
  readonly free: number | null
  /** One line for the operator. */
  readonly detail: string
}

/** The effect of a full disk on callers. */
const REFUSED: Readonly<Record<DiskPart, string>> = {
  ledger: 'paid calls are refused',
  files: 'calls that create files are refused',
  temporary: 'calls that need temporary files are refused',
}

/** Checks the disks of a gateway every ten seconds and on request; logs once when one is full, and once when it has space again. */
export class DiskWatch {
  readonly #disks: readonly WatchedDisk[]
  readonly #clock: Clock
  readonly #log: Log
  /** Parts whose disk was full at the last check. */
  readonly #full = new Set<DiskPart>()
  #checkedAt = -Infinity
  #stop: () => void = () => undefined

  constructor(disks: readonly WatchedDisk[], clock: Clock, log: Log) {
    this.#disks = disks
    this.#clock = clock
    this.#log = log
  }

  start(): void {
    this.#stop = this.#clock.every(CHECK_MS, () => void this.check())
    this.check()
  }

  close(): void {
    this.#stop()
  }

  /** The current state of the disks. */
  check(): readonly DiskState[] {
    this.#checkedAt = this.#clock.monotonic()
    return this.#disks.map((disk) => {
      const state = stateOf(disk)
      this.#note(state)
      return state
    })
  }

  /** Checks now, at most once a second: a call failed, possibly because of a full disk. */
  suspect(): void {
    if (this.#clock.monotonic() - this.#checkedAt >= SOON_MS) this.check()
  }

  #note({ part, folder, full, free, detail }: DiskState): void {
    const fields = { part, folder, free_bytes: free }
    if (full) {
      this.#full.add(part)
      this.#log('disk-full', `the disk of ${part} is full: ${detail}`, fields)
    } else if (free !== null && this.#full.delete(part)) {
      this.#log('disk-free', `the disk of ${part} has free space again`, fields)
    }
  }
}

function stateOf({ part, folder, free: read, full: isFull }: WatchedDisk): DiskState {
  try {
    const full = isFull()
    const free = read()
    const room = `${Math.floor(free / MIB)} MiB free in ${folder}`
    return { part, folder, full, free, detail: full ? `${room}; ${REFUSED[part]} until there is more` : room }
  } catch (error) {
    return { part, folder, full: false, free: null, detail: `${folder} cannot be read (${String(error)})` }
  }
}
