/** Where the bytes of artifacts lie: a local folder or an object store. Ids are made by us and safe as file names. */
export interface BlobStore {
  /** Writes a stream; rejects with TooLarge past the limit, leaving nothing behind. */
  write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number>
  /** The bytes as a stream, or null when there are none. */
  read(id: string): Promise<{ size: number; body: AsyncIterable<Uint8Array> } | null>
  remove(id: string): Promise<void>
  /** One line for the operator. */
  describe(): string
  /** Rejects when the place cannot be written. */
  check(): Promise<void>
}

/** More bytes came than may be written. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}
