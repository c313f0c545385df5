import { Type } from './schema.js'

/** A file of a call on this machine's disk, good until the call ends. */
export interface ScratchFile {
  readonly id: string
  /** Bytes. */
  readonly size: number
}

/** A file of a call in the input or output of a port, which stays inside the call. Not for capabilities: callers know no such files. */
export const scratchFile = Type.Object(
  { id: Type.String({ pattern: '^[0-9a-f]{32}$' }), size: Type.Integer({ minimum: 0, description: 'Bytes.' }) },
  { description: 'A file of this call on the disk.' },
)

/** A file that was kept by this gateway. */
export interface StoredFile {
  readonly file: ScratchFile
  /** Media type in lower case. */
  readonly contentType: string
}

export interface ScratchOptions {
  /** Largest size in bytes; by default what is left of `limits.scratch`. */
  readonly maxBytes?: number
}

/** What the bytes of a file are. */
export interface FileKind {
  /** Media type in lower case, without parameters. */
  readonly contentType: string
  /** The usual one of file names, without a dot. */
  readonly extension: string
}

/**
 * Files of a call that are too large for memory. They lie on the disk, take at most `limits.scratch` bytes together, and are deleted when the call
 * ends. What grows past a limit is an `invalid` Fault that names it; a full disk is `overloaded`. A file of another call is a TypeError.
 */
export interface Scratch {
  /** Writes bytes, or a stream as it arrives. */
  write(data: Uint8Array | AsyncIterable<Uint8Array>, options?: ScratchOptions): Promise<ScratchFile>
  /** Writes what Base64 text stands for (RFC 4648, section 4, with padding). An `invalid` Fault when it is something else. */
  decode(base64: string, options?: ScratchOptions): Promise<ScratchFile>
  /** Streams a foreign address through the guard. Faults as `files.fetch`. */
  fetch(url: string, options?: ScratchOptions): Promise<ScratchFile>
  /**
   * Reads the file behind a link of this gateway from its store, without network; null for any other address. An `invalid` Fault for a link that
   * has expired or was changed, and for one whose file is gone.
   */
  stored(url: string, options?: ScratchOptions): Promise<StoredFile | null>
  /** The bytes of a file, in order. */
  read(file: ScratchFile): AsyncIterable<Uint8Array>
  /** A whole file in memory. One of more than `maxBytes` is an `invalid` Fault that names the limit, before anything is read. */
  bytes(file: ScratchFile, maxBytes: number): Promise<Uint8Array>
  /** The first bytes of a file, at most so many. */
  head(file: ScratchFile, bytes: number): Promise<Uint8Array>
  /**
   * What the first 64 KiB of a file are, whatever anybody says of it; null when they are nothing known. The name that a file came with tells kinds of
   * text apart that look alike (CSV, Markdown).
   */
  kind(file: ScratchFile, name?: string): Promise<FileKind | null>
  /** Puts a file into the artifact store. */
  store(file: ScratchFile, about: FileInfo): Promise<Stored>
  /** Deletes a file before the call ends, which makes room for others. */
  remove(file: ScratchFile): Promise<void>
}

/** A file put into the artifact store. */
export interface Stored {
  readonly id: string
  readonly url: string
  readonly size: number
  /** ISO 8601. */
  readonly expires_at: string
  readonly content_type: string
}

export interface FileInfo {
  readonly name: string
  readonly contentType?: string
  /** Seconds until the link expires, default the operator's setting. */
  readonly ttlSeconds?: number
}
