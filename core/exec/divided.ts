import { PassThrough, type Readable } from 'node:stream'

/**
 * The part of a stream before a mark; the part after it is passed to `onRest`, which may return a promise to wait for before the next
 * piece. Without the mark the whole stream.
 */
export function divided(stream: Readable, mark: string, onRest: (chunk: Buffer) => void | Promise<void>): Readable {
  const before = new PassThrough()
  const wanted = Buffer.from(mark)
  let held = Buffer.alloc(0)
  let found = false
  const rest = (chunk: Buffer): void => {
    const work = onRest(chunk)
    if (!(work instanceof Promise)) return
    stream.pause()
    void work.finally(() => stream.resume())
  }
  stream.on('data', (chunk: Buffer) => {
    if (found) return rest(chunk)
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const at = bytes.indexOf(wanted)
    found = at >= 0
    const end = found ? at : bytes.length - beginning(bytes, wanted)
    held = found ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end))
    if (end > 0) before.write(bytes.subarray(0, end))
    if (found) rest(bytes.subarray(at + wanted.length))
  })
  // `close` follows the error, and what was read before is kept.
  stream.on('error', () => undefined)
  stream.once('close', () => before.end(held))
  return before
}

/** Number of trailing bytes that may be the beginning of the mark. */
function beginning(bytes: Buffer, mark: Buffer): number {
  const most = Math.min(bytes.length, mark.length - 1)
  for (let length = most; length > 0; length--) if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length
  return 0
}
