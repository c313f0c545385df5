/** What a link that leads past the gateway must say of the file. */
export interface LinkOptions {
  readonly name: string
  readonly contentType: string
  /** Unix milliseconds; the link never lives longer. */
  readonly expiresAt: number
}

/** Where the bytes of artifacts lie: a local folder or an object store. Ids are made by us and safe as file names. */
export interface BlobStore {
  /** Writes a stream, whose pieces are each good until the next is asked for; rejects with TooLarge past the limit, leaving nothing behind. */
  write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number>
  /** The bytes as a stream that must be read to its end or destroyed, or null when there are none. */
  read(id: string): Promise<{ size: number; body: AsyncIterable<Uint8Array> } | null>
  remove(id: string): Promise<void>
  /** An address at which the place itself hands the file out for a while; absent or null where the bytes go through the gateway. */
  link?(id: string, about: LinkOptions): Promise<string | null>
  /** The folder of this machine that the bytes lie in; absent where they lie elsewhere. */
  readonly folder?: string
  /** One line for the operator. */
  describe(): string
  /** Rejects with BlobsUnusable when the place cannot be written, naming the setting to change. */
  check(): Promise<void>
}

/** The place cannot be used as it is; the message is one line for the operator. */
export class BlobsUnusable extends Error {
  override readonly name = 'BlobsUnusable'
  /** It may be usable a moment later without anybody changing anything. */
  readonly transient: boolean

  constructor(message: string, options: ErrorOptions & { transient: boolean }) {
    super(message, options)
    this.transient = options.transient
  }
}

/** More bytes came than may be written. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

const SAFE_ID = /^[0-9A-Za-z_-]{10,64}$/

/** Throws a TypeError for an id that is not one of ours: ids become paths. */
export function checkId(id: string): void {
  if (!SAFE_ID.test(id)) throw new TypeError('an artifact id is not one of ours')
}
