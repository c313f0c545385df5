import { Fault, type Services } from '../../../core/sdk/index.js'
import { LIMITS } from '../work/limits.js'
import type { Source } from '../work/source.js'

const TIME_MS = 10_000
const HEAP_MB = 256

/** Runs a module of `work/` on a page's data, in a worker thread. Throws `blocked` when that takes too much time or memory. */
export async function inWorker<T>(context: Services, module: URL, input: unknown): Promise<T> {
  try {
    return await context.work<T>(module, input, { timeoutMs: TIME_MS, heapMb: HEAP_MB })
  } catch (error) {
    if (Fault.is(error) && error.kind === 'blocked' && error.message.startsWith('the content')) {
      throw new Fault('blocked', `${error.message}: a page may take ${TIME_MS / 1000} seconds and ${HEAP_MB} MiB`, {
        cause: error,
        costly: error.costly,
      })
    }
    throw error
  }
}

/** A document for a worker thread. Throws `blocked` for more than 5,000,000 bytes or characters, before anything reads it. */
export function bounded(source: Source): Source {
  const text = typeof source === 'string'
  if ((text ? source.length : source.bytes.length) > LIMITS.bytes)
    throw new Fault('blocked', `the page is larger than ${LIMITS.bytes} ${text ? 'characters' : 'bytes'}`)
  if (text) return source
  // Without a copy, a small buffer would be transferred with its whole underlying memory, including other data.
  const { buffer, byteLength } = source.bytes
  return { bytes: byteLength === buffer.byteLength ? new Uint8Array(buffer) : new Uint8Array(source.bytes), charset: source.charset }
}
