/** How long each kind of failure takes a provider out, in milliseconds. */
export interface SuspensionTimes {
  readonly busy: number
  readonly busyMost: number
  readonly quota: number
  readonly credentials: number
  readonly broken: number
  readonly brokenMost: number
  /** Of the last `window` tries so many must be broken. */
  readonly brokenTries: number
  /** How many of the latest tries are looked at. */
  readonly window: number
  /** A probe that has not ended by then no longer stands in the way of the next. */
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
