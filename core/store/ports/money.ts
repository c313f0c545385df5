/** Thousandths of a credit, always an integer. */
export type Milli = number

/** The facts of a call, written in the same step as its money: this is the call record. */
export interface Facts {
  readonly endpoint: string
  readonly capability: string
  readonly mode: string | null
  readonly product: string
  readonly key_id: string
  readonly request_id: string
  readonly status: number
  readonly ms: number
  readonly provider_used: string | null
  readonly providers_tried: readonly string[]
  /** Slug of the problem, null on success. */
  readonly error: string | null
  /** `/v1/agent` for a call through that route. */
  readonly via?: string
  /** The caller disconnected before the answer was ready. */
  readonly aborted?: true
}

export interface Balance {
  readonly balance: Milli
  readonly held: Milli
  readonly available: Milli
}
