import { Fault, type FileKind } from '../sdk/index.js'

/** Number of first bytes from which the kind of a file is detected. */
const HEAD_BYTES = 64 * 1024
const LIMITS = { timeoutMs: 2_000, heapMb: 64 }
const SNIFFER = new URL('./work/sniff.js', import.meta.url)

/** The data from which the kind of a file is detected. */
export interface FileHead {
  /** At most 64 KiB. */
  readonly head: Uint8Array
  /** True when they are the whole file. */
  readonly whole: boolean
  /** The file name sent with it, or empty. */
  readonly name: string
}

/** Runs a module in a killable worker thread. */
type Runs = (module: URL, input: unknown, options: { timeoutMs: number; heapMb: number }) => Promise<unknown>

/**
 * The kind of a file by its first bytes; null when it is unknown or cannot be detected within two seconds and 64 MiB. Rejects with Fault
 * `busy`, or the Problem of a gateway without a free thread.
 */
export async function kindOf(run: Runs, head: FileHead): Promise<FileKind | null> {
  try {
    const found: unknown = await run(SNIFFER, head, LIMITS)
    return isKind(found) ? found : null
  } catch (error) {
    if (Fault.is(error) && error.kind !== 'busy') return null
    throw error
  }
}

function isKind(value: unknown): value is FileKind {
  if (typeof value !== 'object' || value === null || !('contentType' in value) || !('extension' in value)) return false
  return typeof value.contentType === 'string' && typeof value.extension === 'string'
}

/** The kind of a file on the disk; reads only its first bytes. Rejects as `kindOf`, and as the stream does. */
export async function kindOfFile(run: Runs, stream: AsyncIterable<Uint8Array>, name: string): Promise<FileKind | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > HEAD_BYTES) break
  }
  return await kindOf(run, { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), whole: size <= HEAD_BYTES, name })
}

/**
 * The first 64 KiB of a stream, whether they are all of it, and a stream of all its bytes, which must be read to its end or left. Pieces of
 * both streams are valid until the next is requested.
 */
export async function headOf(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly whole: boolean; readonly bytes: AsyncIterable<Uint8Array> }> {
  const rest = stream[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let [size, whole] = [0, false]
  while (size <= HEAD_BYTES && !whole) {
    const next = await rest.next()
    if (next.done === true) whole = true
    else {
      chunks.push(Uint8Array.from(next.value))
      size += next.value.length
    }
  }
  const first = Buffer.concat(chunks)
  return { head: first.subarray(0, HEAD_BYTES), whole, bytes: joined(first, rest) }
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
