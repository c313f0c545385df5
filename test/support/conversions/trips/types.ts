import type { Check } from '../checks.js'

export interface TripStep {
  readonly from: string
  readonly to: string
  /** Beyond what the gateway itself looks at. */
  readonly check?: Check
}

/** A sample made into one format, and that into the next; each file is checked. */
export interface Trip {
  readonly engine: string
  readonly data: string | Uint8Array
  readonly steps: readonly TripStep[]
}
