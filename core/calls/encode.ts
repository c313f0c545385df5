import { setImmediate as turn } from 'node:timers/promises'

/** Characters that are encoded in one turn of the event loop. */
const PIECE = 1 << 20
/** Characters up to which a text is sent as it is. */
const SHORT = 16 << 10

/** True for an answer that need not be encoded before it is written: as a text it goes out in one piece with its headers. */
export function isShort(text: string): boolean {
  return text.length <= SHORT
}

/**
 * An answer's text in UTF-8; a long one is encoded over several turns of the event loop, and a promise of it is returned. It must have no half of
 * a pair alone, as JSON has none.
 */
export function encode(text: string): Buffer | Promise<Buffer> {
  return text.length <= PIECE ? Buffer.from(text) : inPieces(text)
}

async function inPieces(text: string): Promise<Buffer> {
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
