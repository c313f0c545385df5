/** The outcome of a try and the account of its call; the account is empty where it is not needed. */
export interface Recent {
  readonly end: 'answered' | 'broken' | 'timeout'
  readonly account: string
}

/** The suspension state of one provider. */
export interface SuspensionState {
  why: string
  /** Monotonic milliseconds; 0 when not suspended. */
  until: number
  /** When it was last suspended or resumed, monotonic milliseconds: outcomes of tries that began before are ignored. */
  since: number
  manual: boolean
  /** Outcomes of the latest tries, oldest first. Empty while it is suspended. */
  recent: Recent[]
  /** Number of consecutive suspensions as broken, for the backoff. */
  rounds: number
  probeUntil: number
  /** The suspension was ended early, on this replica only. */
  early: boolean
  /** Its self-check is running. */
  checking: boolean
  /** Monotonic milliseconds before which a self-check that passed is not repeated. */
  checkedUntil: number
}

/** The state of a provider without failures. */
export function unsuspended(): Omit<SuspensionState, 'since'> {
  return { why: '', until: 0, manual: false, recent: [], rounds: 0, probeUntil: 0, early: false, checking: false, checkedUntil: 0 }
}
