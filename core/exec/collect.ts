import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainName } from './tar.js'

export interface Collected {
  readonly files: { name: string; data: Uint8Array }[]
  /** Made but not taken, for one of the limits. */
  left: number
}

/** Regular files of a folder that are new or changed, without following links, within the limits. Nothing else is ever opened. */
export async function collectFiles(
  folder: string,
  limits: { maxFiles: number; maxBytes: number },
  known: ReadonlyMap<string, Uint8Array>,
): Promise<Collected> {
  const collected: Collected = { files: [], left: 0 }
  let bytes = 0
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile() || !isPlainName(entry.name)) continue
    // A link put in its place between the listing and here is refused by the kernel, and a FIFO does not block.
    const file = await open(join(folder, entry.name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(refusedLink)
    if (file === null) continue
    try {
      const { size, nlink } = await file.stat()
      if (!(await file.stat()).isFile() || nlink !== 1) continue
      if (collected.files.length >= limits.maxFiles || bytes + size > limits.maxBytes) {
        collected.left++
        continue
      }
      const data = await file.readFile()
      if (same(known.get(entry.name), data)) continue
      bytes += data.length
      collected.files.push({ name: entry.name, data })
    } finally {
      await file.close()
    }
  }
  return collected
}

function same(before: Uint8Array | undefined, now: Uint8Array): boolean {
  return before !== undefined && Buffer.compare(before, now) === 0
}

function refusedLink(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'ENXIO' || error.code === 'ENOENT'))
    return null
  throw error
}
