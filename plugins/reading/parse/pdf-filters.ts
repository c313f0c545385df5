import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { Dictionary, Name, type PdfValue } from './pdf-syntax.js'

/** Bytes of one unpacked stream. */
const MAX_UNPACKED = 32 * 1024 * 1024
/** Maximum filters of one stream; valid ones have at most two. */
const MAX_FILTERS = 8

/**
 * The bytes of a stream without its filters (ISO 32000-1, 7.4); compression of text and its encodings are supported.
 * Null for a stream with another filter, a damaged one, or one larger than 32 MiB.
 */
export function unpacked(packed: Buffer, filters: readonly PdfValue[], parameters: readonly PdfValue[]): Buffer | null {
  if (filters.length > MAX_FILTERS) return null
  let bytes: Buffer | null = packed
  for (const [at, filter] of filters.entries()) {
    if (bytes === null || !(filter instanceof Name)) return null
    const given = parameters[at]
    bytes = filtered(bytes, filter.text, given instanceof Dictionary ? given : new Dictionary())
  }
  return bytes !== null && bytes.length <= MAX_UNPACKED ? bytes : null
}

function filtered(bytes: Buffer, filter: string, parameters: Dictionary): Buffer | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredicted(inflated(bytes), parameters)
    case 'ASCII85Decode':
    case 'A85':
      return ascii85(bytes)
    case 'ASCIIHexDecode':
    case 'AHx':
      return Buffer.from((bytes.toString('latin1').split('>', 1)[0] ?? '').replace(/[^0-9a-f]+/gi, ''), 'hex')
    case 'Crypt':
      return bytes
    default:
      return null
  }
}

/** Inflates what is available, also of a stream that is truncated or has no checksum. */
function inflated(bytes: Buffer): Buffer | null {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_UNPACKED }
  for (const inflate of [() => inflateSync(bytes, options), () => inflateRawSync(bytes.subarray(2), options)])
    try {
      return inflate()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  return null
}

/** Reverses the predictors of PNG (ISO 32000-1, 7.4.4.4). */
function unpredicted(bytes: Buffer | null, parameters: Dictionary): Buffer | null {
  const of = (name: string, usual: number): number => {
    const value = parameters.get(name)
    return typeof value === 'number' ? value : usual
  }
  const predictor = of('Predictor', 1)
  if (bytes === null || predictor === 1) return bytes
  const width = Math.ceil((of('Colors', 1) * of('BitsPerComponent', 8) * of('Columns', 1)) / 8)
  const step = Math.max(1, (of('Colors', 1) * of('BitsPerComponent', 8)) >> 3)
  if (predictor < 10 || !(width > 0 && width < 1_000_000)) return null
  const rows = Math.floor(bytes.length / (width + 1))
  const out = Buffer.alloc(rows * width)
  for (let row = 0; row < rows; row += 1) {
    const [kind, from, to] = [bytes[row * (width + 1)], row * (width + 1) + 1, row * width]
    for (let at = 0; at < width; at += 1) {
      const left = at < step ? 0 : (out[to + at - step] ?? 0)
      const up = row === 0 ? 0 : (out[to + at - width] ?? 0)
      const corner = row === 0 || at < step ? 0 : (out[to + at - width - step] ?? 0)
      const guess = kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : kind === 4 ? paeth(left, up, corner) : 0
      out[to + at] = (bytes[from + at] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner
  const [byLeft, byUp, byCorner] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner
}

/** Each group of five base-85 digits is four bytes; `z` is four zeros, and a partial group has one byte fewer than digits. */
function ascii85(bytes: Buffer): Buffer | null {
  if (bytes.length > MAX_UNPACKED) return null
  const out = Buffer.alloc(Math.min(bytes.length * 4, MAX_UNPACKED) + 4)
  let [value, digits, to] = [0, 0, 0]
  for (const byte of bytes) {
    if (byte === 0x7e) break
    if (to >= MAX_UNPACKED) return null
    if (byte === 0x7a && digits === 0) to += 4
    if (byte < 0x21 || byte > 0x75) continue
    value = value * 85 + byte - 0x21
    digits += 1
    if (digits < 5) continue
    out.writeUInt32BE(value % 2 ** 32, to)
    ;[value, digits, to] = [0, 0, to + 4]
  }
  if (digits < 2) return out.subarray(0, to)
  for (let missing = digits; missing < 5; missing += 1) value = value * 85 + 84
  out.writeUInt32BE(value % 2 ** 32, to)
  return out.subarray(0, to + digits - 1)
}
