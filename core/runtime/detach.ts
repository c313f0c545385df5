import { setImmediate as turn } from 'node:timers/promises'
import { at, putBack, takePieces, type Piece } from './pieces.js'

/** Shorter strings, in characters, are copied with the value. */
const LONG = 16 * 1024
/** Least bytes of strings decoded in one turn of the event loop. */
const TURN_BYTES = 8 * 1024 * 1024
const WIDE = /[^\0-\xff]/

/** A long string of a value that is sent between threads: its path in the value, and the position of its characters in the buffer. */
interface DetachedString {
  readonly path: readonly (string | number)[]
  readonly encoding: 'latin1' | 'utf8' | 'utf16le'
  readonly from: number
  readonly to: number
}

/** A value without its long strings, which are transferred between threads instead of copied. Large values are split into pieces. */
export interface Detached {
  readonly value: unknown
  readonly pieces: readonly Piece[]
  readonly strings: readonly DetachedString[]
  readonly buffer: ArrayBuffer
}

interface Found extends DetachedString {
  readonly text: string
}

/** Extracts long strings and excess entries from a JSON value, in place: a string becomes empty. The value must be an object or a list. */
export function detach(value: unknown): Detached {
  const found: Found[] = []
  let size = 0
  const open: { readonly container: object; readonly path: readonly (string | number)[] }[] = []
  const visit = (inner: unknown, container: object, path: readonly (string | number)[]): void => {
    if (typeof inner === 'object' && inner !== null) open.push({ container: inner, path })
    if (typeof inner !== 'string' || inner.length <= LONG) return
    const { encoding, bytes } = shortest(inner)
    const to = size + bytes
    found.push({ path, encoding, from: size, to, text: inner })
    size = to
    Reflect.set(container, path.at(-1) ?? '', '')
  }
  if (typeof value === 'object' && value !== null) open.push({ container: value, path: [] })
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { container, path } = next
    if (Array.isArray(container)) container.forEach((inner: unknown, index) => visit(inner, container, [...path, index]))
    else for (const [name, inner] of Object.entries(container)) visit(inner, container, [...path, name])
  }
  const buffer = new ArrayBuffer(size, { maxByteLength: size })
  const strings = found.map(({ text, ...string }) => {
    Buffer.from(buffer, string.from, string.to - string.from).write(text, string.encoding)
    return string
  })
  return { value, pieces: takePieces(value), strings, buffer }
}

/** The shortest encoding that preserves every character of a text: UTF-8 cannot encode lone surrogates. */
function shortest(text: string): { encoding: DetachedString['encoding']; bytes: number } {
  if (!WIDE.test(text)) return { encoding: 'latin1', bytes: text.length }
  const bytes = Buffer.byteLength(text, 'utf8')
  return bytes < text.length * 2 && text.isWellFormed() ? { encoding: 'utf8', bytes } : { encoding: 'utf16le', bytes: text.length * 2 }
}

/** The buffers to transfer with it. */
export function movedWith({ pieces, buffer }: Detached): ArrayBuffer[] {
  return [buffer, ...pieces.map(({ entries }) => entries.buffer)]
}

/** Reassembles the value, a large one over several turns of the event loop, and frees the transferred memory. */
export async function attach({ value, pieces, strings, buffer }: Detached): Promise<unknown> {
  await putBack(value, pieces)
  let bytes = 0
  for (const { path, encoding, from, to } of strings) {
    const text = Buffer.from(buffer, from, to - from).toString(encoding)
    const container = path.slice(0, -1).reduce(at, value)
    if (typeof container === 'object' && container !== null) Reflect.set(container, path.at(-1) ?? '', text)
    bytes += to - from
    if (bytes < TURN_BYTES) continue
    bytes = 0
    await turn()
  }
  buffer.resize(0)
  return value
}
