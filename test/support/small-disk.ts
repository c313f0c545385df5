import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeSync, openSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notMeasured } from './needs.js'

/** A disk in memory of a size of our own, so that it can be filled. Takes memory for what is written alone. */
export class SmallDisk {
  readonly folder: string
  readonly #filling: string

  /** Skips where nothing may be mounted. */
  constructor(context: Context, mebibytes: number) {
    this.folder = mkdtempSync(join(tmpdir(), 'capstan-disk-'))
    this.#filling = join(this.folder, 'filling')
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'none', this.folder], { stdio: 'pipe' })
    } catch {
      rmSync(this.folder, { recursive: true, force: true })
      notMeasured(context, 'a full disk, since nothing can be mounted here')
    }
  }

  /** Changes its size. */
  resize(mebibytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${mebibytes}m`, this.folder], { stdio: 'pipe' })
  }

  /** Writes until there is no room. */
  fill(): void {
    const file = openSync(this.#filling, 'a')
    try {
      for (const size of [64 * 1024, 4096])
        try {
          for (;;) writeSync(file, Buffer.alloc(size))
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
    } finally {
      closeSync(file)
    }
  }

  /** Gives the room back. */
  free(): void {
    rmSync(this.#filling, { force: true })
  }

  remove(): void {
    execFileSync('umount', ['-l', this.folder], { stdio: 'pipe' })
    rmSync(this.folder, { recursive: true, force: true })
  }
}
