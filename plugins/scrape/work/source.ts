import { decode } from '../../_shared/charset/charset.js'

/** A document as fetched. */
export interface Encoded {
  readonly bytes: Uint8Array
  /** Character set of the header, lower case; empty when absent. */
  readonly charset: string
}

/** A document to read: as fetched, or as text from a vendor or the browser. */
export type Source = string | Encoded

/** Text of a document. Decodes bytes, so it should run in a worker thread. */
export function textOf(source: Source): string {
  return typeof source === 'string' ? source : decode(source.bytes, source.charset)
}
