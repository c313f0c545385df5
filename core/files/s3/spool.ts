import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { TooLarge } from '../blobs.js'
import { leaveReserve, writeAll, writeFailure } from '../disk.js'

/** Files up to this size are kept in memory, in bytes. */
const MEMORY_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/** A file of known length and hash, which can be sent repeatedly. */
export interface Spooled {
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  /** The bytes from the beginning. */
  body(): Uint8Array | AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * Buffers a stream, small ones in memory, larger ones in a file that is unlinked before the first byte is written, so that a killed
 * process leaves nothing. Rejects with TooLarge above the limit, an `overloaded` problem when the disk is full, or the
 * stream's own error.
 */
export async function spool(data: AsyncIterable<Uint8Array>, maxBytes: number, folder: string): Promise<Spooled> {
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  let file: FileHandle | null = null
  let size = 0
  try {
    for await (const chunk of data) {
      size += chunk.length
      if (size > maxBytes) throw new TooLarge(`the file is larger than ${maxBytes} bytes`)
      hash.update(chunk)
      // A piece is valid only until the next is requested.
      if (file === null) chunks.push(Uint8Array.from(chunk))
      else await writeAll(file, chunk)
      if (file === null && size > MEMORY_BYTES) {
        file = await nameless(folder)
        for (const waiting of chunks.splice(0)) await writeAll(file, waiting)
      }
    }
  } catch (error) {
    await file?.close()
    throw writeFailure(error)
  }
  const kept = file
  const bytes = Buffer.concat(chunks)
  return {
    size,
    sha256: hash.digest('hex'),
    body: () => (kept === null ? bytes : contents(kept, size)),
    close: async () => await kept?.close(),
  }
}

async function nameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await leaveReserve(folder)
  const path = join(folder, randomBytes(12).toString('hex'))
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* contents(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) throw new Error('the spooled file is shorter than it was')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
