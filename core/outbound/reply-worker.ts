import { parentPort } from 'node:worker_threads'
import { collectGarbage, lowerPriority } from '../runtime/threads.js'
import { detach, movedWith, type Detached } from '../runtime/detach.js'
import { readBody, type ReplyForm } from './reply-body.js'

/** A large reply and how it is to be read. */
export interface ReplyToRead extends ReplyForm {
  /** The first `length` bytes are the reply. */
  readonly buffer: ArrayBuffer
  readonly length: number
}

/** The ReadBody with its long strings detached; null for one whose fields have too many different names. */
export type ReplyRead = Detached | null

/** Most different field names in one reply: each costs the main thread microseconds, and no vendor has so many. */
const MOST_NAMES = 20_000

lowerPriority()

parentPort?.on('message', ({ buffer, length, ...form }: ReplyToRead) => {
  const read = readBody(new Uint8Array(buffer, 0, length), form, () => buffer.resize(0))
  buffer.resize(0)
  // Frees the source text before the strings are copied.
  collectGarbage(length)
  const reply: ReplyRead = tooManyNames(read.body) ? null : detach(read)
  collectGarbage(length)
  parentPort?.postMessage(reply, reply === null ? [] : movedWith(reply))
})

function tooManyNames(root: unknown): boolean {
  const names = new Set<string>()
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name)
    if (names.size > MOST_NAMES) return true
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
  return false
}
