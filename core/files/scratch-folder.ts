import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withSpace, jobFolder } from '../exec/job-folder.js'
import { Fault, type ScratchFile } from '../sdk/index.js'
import { leaveReserve, writeAll } from './disk.js'

/** The free space on the disk is checked after so many bytes. */
const CHECK_BYTES = 64 * 1024 * 1024

/** The files of one call, in their own folder below the one for temporary files, which the next gateway deletes if this one is killed. */
export class ScratchFolder {
  readonly limit: number
  readonly #files = new Map<string, { readonly path: string; readonly size: number }>()
  #folder: Promise<string> | null = null
  readonly #newId: () => string
  #used = 0
  #closed = false

  /** `limit` bounds the total size at any time, in bytes. */
  constructor(limit: number, newId = (): string => randomBytes(16).toString('hex')) {
    this.limit = limit
    this.#newId = newId
  }

  /** Writes a file, and removes it when that fails. Faults and Problems as `Scratch.write`. */
  write(data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes = Infinity): Promise<ScratchFile> {
    return withSpace(async () => {
      this.#refuseClosed()
      const folder = await this.#made()
      const id = this.#newId()
      const path = join(folder, id)
      const size = await this.#fill(folder, path, { data, maxBytes })
      this.#files.set(id, { path, size })
      return { id, size }
    })
  }

  /** The actual size of a file in bytes. Throws TypeError for a file of another call. */
  size({ id }: ScratchFile): number {
    return this.#known(id).size
  }

  read({ id }: ScratchFile): AsyncIterable<Uint8Array> {
    return createReadStream(this.#known(id).path)
  }

  /** A whole file in memory. Faults as `Scratch.bytes`; TypeError for a file of another call. */
  async bytes({ id }: ScratchFile, maxBytes: number): Promise<Buffer> {
    const { path, size } = this.#known(id)
    if (size > maxBytes) throw new Fault('invalid', `The file is larger than ${maxBytes} bytes.`)
    return await readFile(path)
  }

  /** At most the first `bytes` bytes of a file. */
  async head({ id }: ScratchFile, bytes: number): Promise<Buffer> {
    const { path, size } = this.#known(id)
    const file = await open(path)
    try {
      const wanted = Buffer.alloc(Math.min(size, bytes))
      const { bytesRead } = await file.read(wanted, 0, wanted.length, 0)
      return wanted.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /**
   * Makes a file readable for programs in the sandbox and returns its path. Other users cannot find it: its name cannot be guessed and its
   * folder cannot be listed. Throws TypeError for a file of another call.
   */
  async expose({ id }: ScratchFile): Promise<string> {
    const { path } = this.#known(id)
    await chmod(dirname(path), 0o711)
    await chmod(path, 0o444)
    return path
  }

  async remove({ id }: ScratchFile): Promise<void> {
    const { path, size } = this.#known(id)
    this.#files.delete(id)
    await rm(path, { force: true })
    this.#used -= size
  }

  /** Deletes everything; running writes fail at their next piece. */
  async close(): Promise<void> {
    this.#closed = true
    this.#files.clear()
    // A failed creation was already reported to the writer.
    const folder = await this.#folder?.catch(() => null)
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true })
  }

  /** Throws when `more` bytes of a file that has `size` would exceed a limit. Faults as `Scratch.write`. */
  assertRoom(more: number, { size = 0, maxBytes = Infinity }: { readonly size?: number; readonly maxBytes?: number } = {}): void {
    if (size + more > maxBytes) throw new Fault('invalid', `The file is larger than ${maxBytes} bytes.`)
    if (this.#used + more > this.limit)
      throw new Fault('invalid', `The files of this call are larger than ${this.limit} bytes together (limits.scratch).`)
  }

  /** A failed creation is retried for the next file. */
  async #made(): Promise<string> {
    const making = (this.#folder ??= jobFolder())
    try {
      return await making
    } catch (error) {
      if (this.#folder === making) this.#folder = null
      throw error
    }
  }

  async #fill(
    folder: string,
    path: string,
    { data, maxBytes }: { data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>; maxBytes: number },
  ): Promise<number> {
    let [size, checked] = [0, -CHECK_BYTES]
    this.#refuseClosed()
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of data) {
        this.#refuseClosed()
        this.assertRoom(chunk.length, { size, maxBytes })
        this.#used += chunk.length
        size += chunk.length
        if (size - checked >= CHECK_BYTES) {
          await leaveReserve(folder)
          checked = size
        }
        await writeAll(file, chunk)
      }
      this.#refuseClosed()
      await file.close()
      return size
    } catch (error) {
      await file.close()
      await rm(path, { force: true })
      this.#used -= size
      throw error
    }
  }

  #known(id: string): { readonly path: string; readonly size: number } {
    this.#refuseClosed()
    const file = this.#files.get(id)
    if (file === undefined) throw new TypeError('the scratch file was removed, or belongs to another call')
    return file
  }

  #refuseClosed(): void {
    if (this.#closed) throw new Fault('missing', 'The call has ended and its files were deleted.')
  }
}
