import type { ScratchFile } from './scratch.js'
import type { Call, Part } from './vendor-call.js'

/** A file that a vendor made, on the disk of the call. */
export interface VendorFile {
  readonly file: ScratchFile
  /** Media type as the vendor names it, else, with `kinds`, as the file's first bytes show it; lower case, without parameters, empty when unknown. */
  readonly contentType: string
  /** File name of the reply (RFC 6266), safe to show and to save; null when it has none. */
  readonly name: string | null
  /** The address after redirects. */
  readonly url: string
}

export interface VendorFileOptions {
  /** Largest file in bytes; by default what is left of `limits.scratch`. A larger one is a `broken` Fault. */
  readonly maxBytes?: number
  /**
   * Media types of which the file must be one, such as `application/pdf` or `image/*`: its first bytes are looked at, and where they show nothing (text)
   * the vendor's word counts. Anything else is a `broken` Fault, and so, without `kinds` too, is an HTML page that `kinds` does not name.
   */
  readonly kinds?: readonly string[]
}

/** What is sent to an address that a vendor's reply gave. */
export interface Upload {
  /** Default PUT; POST for a form. */
  readonly method?: 'PUT' | 'POST'
  /** As the vendor's reply asks for them. None of the vendor's own is added, and no credentials. */
  readonly headers?: Readonly<Record<string, string>>
  readonly multipart?: readonly Part[]
  readonly bytes?: NonNullable<Call['bytes']>
}

export interface Uploaded {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 1 MiB. */
  readonly text: string
}

/**
 * Files from a vendor, and to where its replies point. They stream between disk and network, bounded by `limits.scratch`; a transfer on which no
 * byte moves for 30 seconds is a `busy` Fault. One that is cut short, expands too much or is empty is `broken`, and leaves nothing on the disk.
 */
export interface VendorFiles {
  /** A reply that is a file. Statuses are read as those of other replies; where a GET is redirected to another host, it is `download`ed there. */
  file(call: Omit<Call, 'reads' | 'maxBytes'>, options?: VendorFileOptions): Promise<VendorFile>
  /**
   * A file at an address that the vendor's reply gave, fetched without credentials through the guard, or from the very host that the operator set for
   * this vendor. That it is not there (any more), refused or not to be reached is the vendor's doing: `broken`, or `busy` where it may pass.
   */
  download(url: string, options?: VendorFileOptions): Promise<VendorFile>
  /**
   * Sends to an address that the vendor's reply gave, such as a presigned one of an object store: without credentials, through the guard, or to the
   * very host that the operator set for this vendor. No redirect is followed. Statuses 400, 413, 415 and 422 are `invalid`, those that may pass
   * `busy`, all others `broken`.
   */
  upload(url: string, request: Upload): Promise<Uploaded>
}
