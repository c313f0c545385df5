import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Below this many bytes no collection is forced. */
const WORTH = 4 * 1024 * 1024

/**
 * Forces a garbage collection in this thread when it has about so many bytes of garbage: a thread that goes idle after a large text would
 * keep it, twice, while the main thread makes its own copy. Blocks only this thread, for some milliseconds.
 */
export function collectGarbage(bytes: number): void {
  if (bytes < WORTH) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}
