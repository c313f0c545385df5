import { Fault, type FileKind } from '../sdk/index.js'

/** The first bytes of a file, by which its kind is told. */
const HEAD_BYTES = 64 * 1024
const LIMITS = { timeoutMs: 2_000, heapMb: 64 }
const SNIFFER = new URL('./work/sniff.js', import.meta.url)

/** What the kind of a file is told by. */
export interface FileHead {
  /** At most 64 KiB. */
  readonly head: Uint8Array
  /** They are the whole file. */
  readonly whole: boolean
  /** The name it came with; empty when there is none. */
  readonly name: string
}

/** Runs a module in a killable worker thread. */
type Runs = (module: URL, input: unknown, options: { timeoutMs: number; heapMb: number }) => Promise<unknown>

/**
 * What the first bytes of a file are; null when they are nothing known, or nothing that can be read in two seconds and 64 MiB. Rejects with Fault
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

/** The kind of a file on the disk, of which no more than its first bytes are read. Rejects as `kindOf`, and as the stream does. */
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
 * The first 64 KiB of a stream, whether they are all of it, and all its bytes again, which must be read to their end or left. Each piece of the
 * stream is good until the next is asked for, and so is each of these.
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
