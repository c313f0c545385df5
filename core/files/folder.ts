import { rangeOf } from '../runtime/file-names.js'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cancel } from '../runtime/cancel.js'
import { BlobsUnusable, checkId, readFailure, stoppedBy, TooLarge, type BlobStore, type BlobStream } from './blobs.js'
import { leaveReserve, writeAll, writeFailure } from './disk.js'

/** Artifacts in a local folder, one file each, spread over subfolders by the first two characters of the id. */
export class FolderBlobs implements BlobStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async write(id: string, data: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
    const path = this.#path(id)
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    await leaveReserve(this.folder)
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
      throw writeFailure(error)
    }
  }

  async read(id: string, cancel?: Cancel, wanted?: string): Promise<BlobStream | null> {
    const path = this.#path(id)
    try {
      const { size: whole } = await stat(path)
      const range = rangeOf(wanted, whole)
      const body = createReadStream(path, range === null ? {} : { start: range.from, end: range.to - 1 })
      // The reader receives the error of a file that is deleted meanwhile; without a listener an unread body would end the process.
      body.on('error', () => undefined)
      stoppedBy(cancel, body)
      return { size: range === null ? whole : range.to - range.from, whole, range, body }
    } catch (error) {
      if (isMissing(error)) return null
      throw readFailure(error)
    }
  }

  async remove(id: string): Promise<void> {
    const path = this.#path(id)
    await Promise.all([rm(path, { force: true }), rm(`${path}.partial`, { force: true })])
  }

  describe(): string {
    return `local folder ${this.folder}`
  }

  async check(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await access(this.folder, constants.W_OK)
    } catch (error) {
      const message = `the folder ${this.folder} cannot be written (${String(error)}): correct CAPSTAN_ARTIFACTS or its rights`
      throw new BlobsUnusable(message, { cause: error, transient: false })
    }
  }

  #path(id: string): string {
    checkId(id)
    return join(this.folder, id.slice(0, 2), id)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
