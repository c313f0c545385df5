import { foreignJson } from '../../core/sdk/json.js'

/** One message between the gateway and an engine. */
export interface Frame {
  readonly header: unknown
  readonly bytes: Uint8Array
}

/** Largest message in bytes, either way. */
export const FRAME_LIMIT = 64 * 1024 * 1024
const LENGTHS = 8
const NONE = new Uint8Array()

/** Encodes a message: the lengths of both parts as 32-bit little-endian integers, a JSON text, bytes. Throws RangeError over 64 MiB. */
export function frameOf(header: unknown, bytes: Uint8Array = NONE): Uint8Array {
  const text = Buffer.from(JSON.stringify(header))
  if (text.length + bytes.length > FRAME_LIMIT) throw new RangeError(`a message of ${text.length + bytes.length} bytes is too large`)
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32LE(text.length)
  lengths.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([lengths, text, bytes])
}

/** Decodes the messages of a stream as they complete. Throws RangeError for one over 64 MiB, SyntaxError for a header that is not JSON. */
export async function* framesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let parts: Uint8Array[] = []
  let [kept, wanted] = [0, LENGTHS]
  for await (const chunk of stream) {
    parts.push(chunk)
    kept += chunk.length
    while (kept >= wanted) {
      const all = Buffer.concat(parts)
      const text = LENGTHS + all.readUInt32LE(0)
      const end = text + all.readUInt32LE(4)
      if (end - LENGTHS > FRAME_LIMIT) throw new RangeError(`a message of ${end} bytes is too large`)
      parts = [all]
      wanted = end
      if (kept < end) break
      // Not a Buffer: `buffer` of its slice would be the whole message.
      const bytes = new Uint8Array(all.buffer, all.byteOffset + text, end - text)
      yield { header: foreignJson(all.subarray(LENGTHS, text)), bytes }
      parts = [all.subarray(end)]
      kept -= end
      wanted = LENGTHS
    }
  }
}
