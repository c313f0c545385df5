import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inRoom, jobFolder } from '../exec/job-folder.js'
import { Fault, type ScratchFile } from '../sdk/index.js'
import { leaveReserve, writeAll } from './disk.js'

/** The room on the disk is looked at again after so many bytes. */
const LOOK_BYTES = 64 * 1024 * 1024

/** The files of one call, in a folder of their own below that for temporary files, which also a killed gateway's successor deletes. */
export class ScratchFolder {
  readonly limit: number
  readonly #files = new Map<string, { readonly path: string; readonly size: number }>()
  #folder: Promise<string> | null = null
  readonly #newId: () => string
  #used = 0
  #closed = false

  /** Holds at most `limit` bytes at a time. */
  constructor(limit: number, newId = (): string => randomBytes(16).toString('hex')) {
    this.limit = limit
    this.#newId = newId
  }

  /** Writes a file, and leaves nothing of it behind when that fails. Faults and Problems as `Scratch.write`. */
  write(data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes = Infinity): Promise<ScratchFile> {
    return inRoom(async () => {
      this.#refuseClosed()
      const folder = await this.#made()
      const id = this.#newId()
      const path = join(folder, id)
      const size = await this.#fill(folder, path, { data, maxBytes })
      this.#files.set(id, { path, size })
      return { id, size }
    })
  }

  /** Bytes of a file, whatever its holder says. Throws TypeError for a file of another call. */
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

  /** The first bytes of a file, at most so many. */
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
   * The path of a file, for a program in the sandbox: from now on users who know it may read it. Nobody else sees it, since its name cannot be
   * guessed and its folder cannot be listed. Throws TypeError for a file of another call.
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

  /** Deletes everything; what is being written fails at its next piece. */
  async close(): Promise<void> {
    this.#closed = true
    this.#files.clear()
    // Whoever wanted to write was told that it could not be made.
    const folder = await this.#folder?.catch(() => null)
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true })
  }

  /** Refuses so many bytes more of a file that has `size`, when they go past one of the limits. Faults as `Scratch.write`. */
  assertRoom(more: number, { size = 0, maxBytes = Infinity }: { readonly size?: number; readonly maxBytes?: number } = {}): void {
    if (size + more > maxBytes) throw new Fault('invalid', `The file is larger than ${maxBytes} bytes.`)
    if (this.#used + more > this.limit)
      throw new Fault('invalid', `The files of this call are larger than ${this.limit} bytes together (limits.scratch).`)
  }

  /** One that could not be made is tried again for the next file. */
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
    let [size, looked] = [0, -LOOK_BYTES]
    this.#refuseClosed()
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of data) {
        this.#refuseClosed()
        this.assertRoom(chunk.length, { size, maxBytes })
        this.#used += chunk.length
        size += chunk.length
        if (size - looked >= LOOK_BYTES) {
          await leaveReserve(folder)
          looked = size
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
    if (this.#closed) throw new Fault('missing', 'The call has ended, and its files with it.')
  }
}
