export interface ArtifactRecord {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly content_type: string
  /** Bytes counted against the quota: the file's own, at least a minimum per file. */
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
  /** Reserves quota in one step; false when the account would exceed it. */
  reserve(artifact: ArtifactRecord, quota: number): Promise<boolean>
  /**
   * Reserves further bytes for an artifact being written, in one conditional step; false, with nothing changed, when
   * the account would exceed its quota or the artifact is gone.
   */
  grow(growth: ArtifactGrowth): Promise<boolean>
  /** Sets the size of a written artifact. */
  settle(id: string, size: number): Promise<void>
  get(id: string): Promise<ArtifactRecord | null>
  remove(id: string): Promise<void>
  expired(now: number, limit: number): Promise<ArtifactRecord[]>
  used(account: string): Promise<number>
}
