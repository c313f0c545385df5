import { Type } from './schema.js'

/** A file of a call on this machine's disk, valid until the call ends. */
export interface ScratchFile {
  readonly id: string
  /** Bytes. */
  readonly size: number
}

/** A file of a call in the input or output of a port. Not for capabilities: callers have no such files. */
export const scratchFile = Type.Object(
  { id: Type.String({ pattern: '^[0-9a-f]{32}$' }), size: Type.Integer({ minimum: 0, description: 'Bytes.' }) },
  { description: 'A file of this call on the disk.' },
)

/** A file that this gateway stored. */
export interface StoredFile {
  readonly file: ScratchFile
  /** Media type in lower case. */
  readonly contentType: string
}

export interface ScratchOptions {
  /** Largest size in bytes; by default what is left of `limits.scratch`. */
  readonly maxBytes?: number
}

/** The type of a file by its bytes. */
export interface FileKind {
  /** Media type in lower case, without parameters. */
  readonly contentType: string
  /** The usual file extension, without a dot. */
  readonly extension: string
}

/**
 * Files of a call that are too large for memory. They are on disk, use at most `limits.scratch` bytes together, and are
 * deleted when the call ends. Exceeding a limit is an `invalid` Fault that names it; a full disk is `overloaded`. A
 * file of another call is a TypeError.
 */
export interface Scratch {
  /** Writes bytes, or a stream as it arrives. */
  write(data: Uint8Array | AsyncIterable<Uint8Array>, options?: ScratchOptions): Promise<ScratchFile>
  /** Decodes Base64 text (RFC 4648, section 4, with padding) into a file. An `invalid` Fault for invalid text. */
  decode(base64: string, options?: ScratchOptions): Promise<ScratchFile>
  /** Downloads a foreign address through the guard. Faults as `files.fetch`. */
  fetch(url: string, options?: ScratchOptions): Promise<ScratchFile>
  /**
   * Reads the file of a link of this gateway from its store, without network; null for any other address. An `invalid`
   * Fault for a link that has expired or was changed, and for one whose file is gone.
   */
  stored(url: string, options?: ScratchOptions): Promise<StoredFile | null>
  /** The bytes of a file, in order. */
  read(file: ScratchFile): AsyncIterable<Uint8Array>
  /** A whole file in memory. A file of more than `maxBytes` is an `invalid` Fault that names the limit. */
  bytes(file: ScratchFile, maxBytes: number): Promise<Uint8Array>
  /** The first bytes of a file, at most so many. */
  head(file: ScratchFile, bytes: number): Promise<Uint8Array>
  /**
   * The type of a file by its first 64 KiB, whatever its declared type; null if unknown. The file's name distinguishes
   * similar kinds of text (CSV, Markdown).
   */
  kind(file: ScratchFile, name?: string): Promise<FileKind | null>
  /** Stores a file in the artifact store. */
  store(file: ScratchFile, about: FileInfo): Promise<Stored>
  /** Deletes a file before the call ends, to free its space. */
  remove(file: ScratchFile): Promise<void>
}

/** A file in the artifact store. */
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
