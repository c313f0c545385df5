import { setImmediate as turn } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'

/** Most values and field names received in one turn of the event loop: some 5 ms. */
const MOST = 8_000

/** Entries of one list or object of a value, in the form of structured clone (HTML standard, 2.7): values of a list, names and values of an object. */
interface Piece {
  readonly path: readonly (string | number)[]
  readonly entries: Uint8Array<ArrayBuffer>
}

/**
 * Removes entries from a JSON value, in place, until it is small enough to be received in one turn, as is each piece. The order of entries
 * is kept, since a list or object is emptied completely.
 */
export function takePieces(root: unknown, most = MOST): Piece[] {
  const pieces: Piece[] = []
  const path: (string | number)[] = []
  const cut = (container: object): number => {
    const list = Array.isArray(container)
    const entries: [string, unknown][] = Object.entries(container)
    const own = list ? 1 : 2
    const sizes = entries.map(([name, value], index) => {
      if (typeof value !== 'object' || value === null) return own
      path.push(list ? index : name)
      const size = own + cut(value)
      path.pop()
      return size
    })
    const size = sizes.reduce((sum, each) => sum + each, 0)
    if (size <= most) return size
    for (let from = 0, to = 0; from < entries.length; from = to) {
      for (let taken = 0; to < entries.length && (to === from || taken + (sizes[to] ?? 0) <= most); to++) taken += sizes[to] ?? 0
      const some = entries.slice(from, to)
      pieces.push({ path: [...path], entries: new Uint8Array(serialize(list ? some.map(([, value]) => value) : some)) })
    }
    if (list) container.length = 0
    else for (const [name] of entries) Reflect.deleteProperty(container, name)
    return 0
  }
  if (typeof root === 'object' && root !== null) cut(root)
  return pieces
}

/** Puts pieces back where they were, each in a turn of the event loop. */
export async function putBack(root: unknown, pieces: readonly Piece[]): Promise<void> {
  // Outer lists and objects before inner ones.
  for (const { path, entries } of pieces.toSorted((one, other) => one.path.length - other.path.length)) {
    await turn()
    const container = path.reduce(at, root)
    const values: unknown = deserialize(entries)
    if (typeof container !== 'object' || container === null || !Array.isArray(values))
      throw new Error('a piece belongs to no list or object')
    if (Array.isArray(container)) for (const value of values) container.push(value)
    else for (const entry of values) define(container, listOf(entry))
  }
}

/** Sets a field, one named `__proto__` too. */
function define(container: object, [name, value]: readonly unknown[]): void {
  Reflect.defineProperty(container, String(name), { value, writable: true, enumerable: true, configurable: true })
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a piece is a list')
  return value
}

/** The value of that name or place; undefined when there is none. */
export function at(container: unknown, name: string | number): unknown {
  return typeof container === 'object' && container !== null ? Reflect.get(container, name) : undefined
}

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

interface DetachedText extends DetachedString {
  readonly text: string
}

/** Extracts long strings and excess entries from a JSON value, in place: a string becomes empty. The value must be an object or a list. */
export function detach(value: unknown): Detached {
  const found: DetachedText[] = []
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
