/** How a try ended, and the account whose call it was; the account is empty where it does not matter. */
export interface Recent {
  readonly end: 'answered' | 'broken' | 'timeout'
  readonly account: string
}

/** What is known of one provider. */
export interface SuspensionState {
  why: string
  /** Monotonic milliseconds; 0 when not suspended. */
  until: number
  /** When it was last suspended or brought back, monotonic milliseconds: what tries that began before say is out of date. */
  since: number
  manual: boolean
  /** How the latest tries ended, oldest first. Empty while it is suspended. */
  recent: Recent[]
  /** How often in a row it was suspended as broken, for the growing time. */
  rounds: number
  probeUntil: number
  /** Its time was ended early, which other replicas know nothing of. */
  early: boolean
  /** Its self-check runs. */
  checking: boolean
  /** Monotonic milliseconds before which its self-check, which passed, is not run again. */
  checkedUntil: number
}

/** A provider that nothing is held against. */
export function unsuspended(): Omit<SuspensionState, 'since'> {
  return { why: '', until: 0, manual: false, recent: [], rounds: 0, probeUntil: 0, early: false, checking: false, checkedUntil: 0 }
}
