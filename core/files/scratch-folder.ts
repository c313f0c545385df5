import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoom, jobFolder } from '../job-folder.js'
import { Fault, type ScratchFile } from '../sdk/index.js'
import { leaveReserve, writeAll } from './disk.js'

/** The room on the disk is looked at again after so many bytes. */
const LOOK_BYTES = 64 * 1024 * 1024

/** The files of one call, in a folder of their own below that for temporary files, which also a killed gateway's successor deletes. */
export class ScratchFolder {
  readonly #limit: number
  readonly #files = new Map<string, { readonly path: string; readonly size: number }>()
  #folder: Promise<string> | null = null
  #used = 0
  #closed = false

  /** Holds at most `limit` bytes at a time. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Writes a file, and leaves nothing of it behind when that fails. Faults and Problems as `Scratch.write`. */
  write(data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes = Infinity): Promise<ScratchFile> {
    return inRoom(async () => {
      this.#refuseClosed()
      const folder = await (this.#folder ??= jobFolder())
      const id = randomBytes(16).toString('hex')
      const path = join(folder, id)
      const size = await this.#fill(folder, path, { data, maxBytes })
      this.#files.set(id, { path, size })
      return { id, size }
    })
  }

  read({ id }: ScratchFile): AsyncIterable<Uint8Array> {
    return createReadStream(this.#known(id).path)
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
    const folder = await this.#folder?.catch(() => null)
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true })
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
        if (size + chunk.length > maxBytes) throw new Fault('invalid', `The file is larger than ${maxBytes} bytes.`)
        if (this.#used + chunk.length > this.#limit)
          throw new Fault('invalid', `The files of this call are larger than ${this.#limit} bytes together (limits.scratch).`)
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
