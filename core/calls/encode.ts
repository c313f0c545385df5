import { setImmediate as turn } from 'node:timers/promises'

/** Characters that are encoded in one turn of the event loop. */
const PIECE = 1 << 20

/** An answer's text in UTF-8; a long one is encoded over several turns of the event loop. It must have no half of a pair alone, as JSON has none. */
export async function encode(text: string): Promise<Buffer> {
  if (text.length <= PIECE) return Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < text.length;) {
    await turn()
    const code = text.charCodeAt(at + PIECE - 1)
    // A pair is encoded together.
    const end = at + PIECE + (code >= 0xd800 && code <= 0xdbff ? 1 : 0)
    pieces.push(Buffer.from(text.slice(at, end)))
    at = end
  }
  return Buffer.concat(pieces)
}
