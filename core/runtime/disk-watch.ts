import type { Clock } from './clock.js'
import type { Log } from './log-events.js'

/** Between two looks, in milliseconds. */
const LOOK_MS = 10_000
/** The same while calls fail for what may be a full disk. */
const SOON_MS = 1_000
const MIB = 1024 * 1024

/** What of the gateway writes to a disk. */
type DiskPart = 'ledger' | 'files' | 'temporary'

/** A folder that is written to, and when there is no room for more in it. */
export interface WatchedDisk {
  readonly part: DiskPart
  readonly folder: string
  /** Bytes that may still be written; throws when the file system does not say. */
  readonly free: () => number
  readonly full: () => boolean
}

export interface DiskState {
  readonly part: DiskPart
  readonly folder: string
  readonly full: boolean
  /** Bytes; null when the file system does not say. */
  readonly free: number | null
  /** One line for the operator. */
  readonly detail: string
}

/** What a full disk means for callers. */
const REFUSED: Readonly<Record<DiskPart, string>> = {
  ledger: 'paid calls are refused',
  files: 'calls that make files are refused',
  temporary: 'calls that need temporary files are refused',
}

/** Looks every ten seconds, and whenever it is asked, whether the disks of a gateway are full: in the log once when one is, and once when it has room again. */
export class DiskWatch {
  readonly #disks: readonly WatchedDisk[]
  readonly #clock: Clock
  readonly #log: Log
  /** Parts whose disk was full when last looked at. */
  readonly #full = new Set<DiskPart>()
  #lookedAt = -Infinity
  #stop: () => void = () => undefined

  constructor(disks: readonly WatchedDisk[], clock: Clock, log: Log) {
    this.#disks = disks
    this.#clock = clock
    this.#log = log
  }

  start(): void {
    this.#stop = this.#clock.every(LOOK_MS, () => void this.look())
    this.look()
  }

  close(): void {
    this.#stop()
  }

  /** How the disks are now. */
  look(): readonly DiskState[] {
    this.#lookedAt = this.#clock.monotonic()
    return this.#disks.map((disk) => {
      const state = stateOf(disk)
      this.#note(state)
      return state
    })
  }

  /** Looks unless it has within the last second: a call failed for what may be a full disk. */
  suspect(): void {
    if (this.#clock.monotonic() - this.#lookedAt >= SOON_MS) this.look()
  }

  #note({ part, folder, full, free, detail }: DiskState): void {
    const fields = { part, folder, free_bytes: free }
    if (full) {
      this.#full.add(part)
      this.#log('disk-full', `the disk of ${part} is full: ${detail}`, fields)
    } else if (free !== null && this.#full.delete(part)) {
      this.#log('disk-free', `the disk of ${part} has room again`, fields)
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
