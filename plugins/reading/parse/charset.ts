import { decode } from '../../_shared/charset/charset.js'
import { Fault } from '../../../core/sdk/fault.js'

const SAMPLE = 4_096

/** Decodes bytes in the given character set, or in the declared or most likely one. Throws Fault `invalid` for bytes that are not text. */
export function decoded(bytes: Uint8Array, named: string): string {
  const text = decode(bytes, named)
  const start = text.slice(0, SAMPLE)
  const odd = (start.match(/[\p{Cc}\ufffd]/gu)?.length ?? 0) - (start.match(/[\t\n\f\r]/g)?.length ?? 0)
  if (start.includes('\0') || odd > start.length / 10) throw new Fault('invalid', 'The file is not text.')
  return text
}

/** The character set of a media type, empty when absent. */
export function namedCharset(contentType: string): string {
  return /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? ''
}
