import { decode } from '../../_shared/charset/charset.js'

/** A document as fetched. */
export interface Encoded {
  readonly bytes: Uint8Array
  /** Character set of the header, lower case; empty when none was given. */
  readonly charset: string
}

/** A document to be read: as fetched, or as text where a vendor or the browser gave text. */
export type Source = string | Encoded

/** Text of a document. Bytes are decoded, so this belongs into a worker thread. */
export function textOf(source: Source): string {
  return typeof source === 'string' ? source : decode(source.bytes, source.charset)
}
