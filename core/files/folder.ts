import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../problems/problem.js'
import { TooLarge, type BlobStore } from './blobs.js'

/** Bytes of the disk that artifacts leave free, so that the ledger can always write. */
const RESERVE_BYTES = 512 * 1024 * 1024
const SAFE_ID = /^[0-9A-Za-z_-]{10,64}$/

/** Artifacts in a local folder, one file each, spread over subfolders by the first two characters of the id. */
export class FolderBlobs implements BlobStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
    const path = this.#path(id)
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    await this.#leaveReserve()
    const partial = `${path}.partial`
    const file = await open(partial, 'wx', 0o600)
    let size = 0
    try {
      for await (const chunk of data) {
        size += chunk.length
        if (size > maxBytes) throw new TooLarge(`the file is larger than ${maxBytes} bytes`)
        await writeAll(file, chunk)
      }
      await file.close()
      await rename(partial, path)
      return size
    } catch (error) {
      await file.close()
      await rm(partial, { force: true })
      throw diskFull(error)
        ? new Problem('overloaded', 'There is no room left for files on this gateway.', { retryAfterSeconds: 60, cause: error })
        : error
    }
  }

  async read(id: string): Promise<{ size: number; body: AsyncIterable<Uint8Array> } | null> {
    const path = this.#path(id)
    try {
      const { size } = await stat(path)
      return { size, body: createReadStream(path) }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async remove(id: string): Promise<void> {
    const path = this.#path(id)
    await Promise.all([rm(path, { force: true }), rm(`${path}.partial`, { force: true })])
  }

  describe(): string {
    return `local folder ${this.#folder}`
  }

  async check(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await access(this.#folder, constants.W_OK)
  }

  async #leaveReserve(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < RESERVE_BYTES)
      throw new Problem('overloaded', 'There is no room left for files on this gateway.', {
        retryAfterSeconds: 60,
        internal: `less than ${RESERVE_BYTES} bytes free at ${this.#folder}`,
      })
  }

  #path(id: string): string {
    if (!SAFE_ID.test(id)) throw new TypeError('an artifact id is not one of ours')
    return join(this.#folder, id.slice(0, 2), id)
  }
}

/** Writes a whole chunk: one write may take only a part of it. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function diskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
