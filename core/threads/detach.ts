import { setImmediate as turn } from 'node:timers/promises'

/** Shorter strings, in characters, are copied with the value. */
const LONG = 16 * 1024
/** Bytes of strings that are read in one turn of the event loop, at least. */
const TURN_BYTES = 8 * 1024 * 1024
const WIDE = /[^\0-\xff]/

/** A long string of a value that is sent between threads: where it belongs, and where its characters stand in the buffer. */
export interface DetachedString {
  readonly path: readonly (string | number)[]
  /** One byte a character, else two. */
  readonly latin1: boolean
  readonly from: number
  readonly to: number
}

/** A value whose long strings were taken out: they are moved between threads and not copied. */
export interface Detached {
  readonly value: unknown
  readonly strings: readonly DetachedString[]
  readonly buffer: ArrayBuffer
}

interface Found extends DetachedString {
  readonly text: string
}

/** Takes the long strings out of a JSON value, in place: each becomes empty. The value must be an object or a list. */
export function detach(value: unknown): Detached {
  const found: Found[] = []
  let size = 0
  const open: { readonly container: object; readonly path: readonly (string | number)[] }[] = []
  const visit = (inner: unknown, container: object, path: readonly (string | number)[]): void => {
    if (typeof inner === 'object' && inner !== null) open.push({ container: inner, path })
    if (typeof inner !== 'string' || inner.length <= LONG) return
    const latin1 = !WIDE.test(inner)
    const to = size + inner.length * (latin1 ? 1 : 2)
    found.push({ path, latin1, from: size, to, text: inner })
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
    Buffer.from(buffer, string.from, string.to - string.from).write(text, string.latin1 ? 'latin1' : 'utf16le')
    return string
  })
  return { value, strings, buffer }
}

/** Puts the strings back, many bytes over several turns of the event loop, and gives the memory they came in free. */
export async function attach({ value, strings, buffer }: Detached): Promise<unknown> {
  let bytes = 0
  for (const { path, latin1, from, to } of strings) {
    const text = Buffer.from(buffer, from, to - from).toString(latin1 ? 'latin1' : 'utf16le')
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

function at(container: unknown, name: string | number): unknown {
  return typeof container === 'object' && container !== null ? Reflect.get(container, name) : undefined
}
