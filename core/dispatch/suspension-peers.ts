/** The other replicas. Nothing here blocks: messages are sent in the background, so that no call waits for them. */
export interface SuspensionPeers {
  /** A provider was suspended or resumed here. */
  changed(id: string): void
  /** Whether this replica may send the probe now. */
  mayProbe(id: string): boolean
  /** This replica's probe still runs. */
  renewed(id: string): void
  /** This replica's probe was abandoned. */
  abandoned(id: string): void
}

/** No other replica. */
export const ALONE: SuspensionPeers = {
  changed: () => undefined,
  mayProbe: () => true,
  renewed: () => undefined,
  abandoned: () => undefined,
}
