/** Other replicas. They are told and asked here and answer later, so that no call waits for them. */
export interface SuspensionPeers {
  /** A provider was suspended or brought back here. */
  changed(id: string): void
  /** Whether this replica may send the probe now. */
  mayProbe(id: string): boolean
  /** This replica's probe still runs. */
  renewed(id: string): void
  /** This replica's probe was given up. */
  abandoned(id: string): void
}

/** No other replica. */
export const ALONE: SuspensionPeers = {
  changed: () => undefined,
  mayProbe: () => true,
  renewed: () => undefined,
  abandoned: () => undefined,
}
