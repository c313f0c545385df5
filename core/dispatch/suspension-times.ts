/** Suspension times by kind of failure, in milliseconds. */
export interface SuspensionTimes {
  readonly busy: number
  readonly busyMost: number
  readonly quota: number
  readonly credentials: number
  readonly broken: number
  readonly brokenMost: number
  /** Number of broken tries among the last `window` that suspends. */
  readonly brokenTries: number
  /** Number of latest tries that count. */
  readonly window: number
  /** A probe without renewal for this long counts as lost. */
  readonly probe: number
}

export const SUSPENSION_TIMES: SuspensionTimes = {
  busy: 5_000,
  busyMost: 60_000,
  quota: 3_600_000,
  credentials: 3_600_000,
  broken: 30_000,
  brokenMost: 600_000,
  brokenTries: 5,
  window: 10,
  probe: 30_000,
}
