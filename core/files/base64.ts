import { Fault } from '../sdk/index.js'

/** Characters decoded at a time: a multiple of four. */
const PIECE = 4 * 64 * 1024
const ALPHABET = /^[A-Za-z0-9+/]*$/

/** The bytes of Base64 text (RFC 4648, section 4, with padding), in pieces. Throws an `invalid` Fault otherwise. */
export function* base64Bytes(text: string): Generator<Uint8Array> {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0) throw notBase64()
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, Math.min(at + PIECE, text.length))
    if (!ALPHABET.test(at + PIECE >= text.length ? piece.slice(0, piece.length - padding) : piece)) throw notBase64()
    yield Buffer.from(piece, 'base64')
  }
}

function notBase64(): Fault {
  return new Fault('invalid', 'The content is not Base64 with padding (RFC 4648, section 4).')
}
