import { setImmediate as turn } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'

/** Most values and field names received in one turn of the event loop: some 5 ms. */
const MOST = 8_000

/** Entries of one list or object of a value, in the form of structured clone (HTML standard, 2.7): values of a list, names and values of an object. */
export interface Piece {
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
