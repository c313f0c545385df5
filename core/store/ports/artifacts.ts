export interface ArtifactRecord {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly content_type: string
  /** Bytes that it takes of the quota: its own, or a least number that every file takes. */
  readonly size: number
  readonly created_at: number
  readonly expires_at: number
}

export interface ArtifactGrowth {
  readonly id: string
  readonly account: string
  readonly bytes: number
  readonly quota: number
  /** Unix milliseconds. */
  readonly now: number
}

export interface ArtifactStore {
  /** Reserves quota in one step; refused when the account would pass it. */
  reserve(artifact: ArtifactRecord, quota: number): Promise<boolean>
  /**
   * Reserves that many further bytes for an artifact being written, in one conditional step; refused, with nothing changed, when the account
   * would pass its quota or the artifact is gone.
   */
  grow(growth: ArtifactGrowth): Promise<boolean>
  /** What it takes once written. */
  settle(id: string, size: number): Promise<void>
  get(id: string): Promise<ArtifactRecord | null>
  remove(id: string): Promise<void>
  expired(now: number, limit: number): Promise<ArtifactRecord[]>
  used(account: string): Promise<number>
}
