import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Less, in bytes, is left to the collector's own time. */
const WORTH = 4 * 1024 * 1024

/**
 * Frees what this thread has done with, when that is about so many bytes: a thread that goes idle behind a large text would keep it, twice,
 * while the main thread makes its own copy. Stops this thread for some milliseconds, and no other.
 */
export function collectGarbage(bytes: number): void {
  if (bytes < WORTH) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}
