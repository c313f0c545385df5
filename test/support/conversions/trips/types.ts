import type { Check } from '../checks.js'

export interface TripStep {
  readonly from: string
  readonly to: string
  /** Beyond the gateway's own checks. */
  readonly check?: Check
  /** The file of the step before is compressed by gzip first. */
  readonly gzip?: true
}

/** A file, or what makes it. */
export type Sample = string | Uint8Array | (() => string | Uint8Array | Promise<string | Uint8Array>)

/** A sample made into one format, and that into the next; each file is checked. */
export interface Trip {
  readonly engine: string
  readonly data: Sample
  readonly steps: readonly TripStep[]
}
