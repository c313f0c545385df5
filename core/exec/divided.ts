import { PassThrough, type Readable } from 'node:stream'

/**
 * What comes on a stream before a mark; what follows the mark is given to `onRest`, the next piece once a promise that it gives is settled.
 * Without the mark all of it comes before.
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
  // It is closed after its error too, and what was read before stands.
  stream.on('error', () => undefined)
  stream.once('close', () => before.end(held))
  return before
}

/** How many bytes at the end may be the beginning of the mark. */
function beginning(bytes: Buffer, mark: Buffer): number {
  const most = Math.min(bytes.length, mark.length - 1)
  for (let length = most; length > 0; length--) if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length
  return 0
}
