import type { ScratchFile } from './scratch.js'
import type { Call, Part } from './vendor-call.js'

/** A file from a vendor, on the disk of the call. */
export interface VendorFile {
  readonly file: ScratchFile
  /** Media type that the vendor declares, or with `kinds` the detected one; lower case, no parameters, maybe empty. */
  readonly contentType: string
  /** File name of the reply (RFC 6266), safe to display and to use; null when it has none. */
  readonly name: string | null
  /** The address after redirects. */
  readonly url: string
}

export interface VendorFileOptions {
  /** Largest file in bytes; by default what is left of `limits.scratch`. A larger one is a `broken` Fault. */
  readonly maxBytes?: number
  /**
   * Media types, such as `application/pdf` or `image/*`, of which the file must be one. Its first bytes decide, or the
   * declared type where they identify nothing (text). Anything else is a `broken` Fault; so is, also without `kinds`,
   * an HTML page that `kinds` does not name.
   */
  readonly kinds?: readonly string[]
}

/** A request to an address from a vendor's reply. */
export interface Upload {
  /** Default PUT; POST for a form. */
  readonly method?: 'PUT' | 'POST'
  /** Headers that the vendor's reply requires. No default headers of the vendor and no credentials are added. */
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
 * Files from a vendor, and uploads to addresses from its replies. They are streamed between disk and network, limited
 * by `limits.scratch`; a transfer without progress for 30 seconds is a `busy` Fault. A transfer that is incomplete,
 * expands too much or is empty is `broken`, and leaves nothing on disk.
 */
export interface VendorFiles {
  /**
   * Downloads a reply that is a file. Statuses are handled as for other replies; a GET that is redirected to another
   * host continues as a `download` there.
   */
  file(call: Omit<Call, 'reads' | 'maxBytes'>, options?: VendorFileOptions): Promise<VendorFile>
  /**
   * Downloads a file from an address in the vendor's reply, without credentials through the guard, or from exactly the
   * host that the operator set for this vendor. A missing, refusing or unreachable address is a failure of the vendor:
   * `broken`, or `busy` where it may be temporary.
   */
  download(url: string, options?: VendorFileOptions): Promise<VendorFile>
  /**
   * Uploads to an address from the vendor's reply, such as a presigned one of an object store: without credentials,
   * through the guard, or to exactly the host that the operator set for this vendor. Redirects are not followed.
   * Statuses 400, 413, 415 and 422 are `invalid`, temporary ones `busy`, all others `broken`.
   */
  upload(url: string, request: Upload): Promise<Uploaded>
}
