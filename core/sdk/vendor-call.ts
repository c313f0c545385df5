import type { ScratchFile } from './scratch.js'

/** Seconds of a Retry-After header (RFC 9110 10.2.3), a number or a date; undefined when absent or unreadable. `now` in Unix milliseconds. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const value = header.trim()
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value))
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

/** True for a status of a temporary failure: too many requests, or a failure of the server. */
export function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500
}

/** A request to a vendor, relative to its address. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** Path below the vendor's base address, beginning with `/`. */
  readonly path: string
  /** One of the vendor's `hosts` instead of its base address. */
  readonly host?: string
  /**
   * An address from the vendor's reply, instead of its base address. Refused (`broken`) unless it is https on a
   * registered domain of the vendor's own addresses, or on the host that the operator set.
   */
  readonly address?: string
  /** Query fields; undefined ones are omitted, lists are repeated. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A URL-encoded form. */
  readonly form?: Readonly<Record<string, string>>
  readonly multipart?: readonly Part[]
  /** A raw body; an empty content type omits the header. A file of the call is streamed from disk with its length. */
  readonly bytes?: { readonly data: Uint8Array | ScratchFile; readonly contentType: string }
  /** The format of the reply, default JSON. */
  readonly reads?: 'json' | 'text' | 'bytes' | 'ndjson'
  /** Largest reply in bytes after decompression, default 10 MiB. */
  readonly maxBytes?: number
}

/** One part of a multipart form: a field or a file. A file of the call is streamed from disk with its length. */
export interface Part {
  readonly name: string
  readonly data: string | Uint8Array | ScratchFile
  readonly filename?: string
  readonly contentType?: string
}
