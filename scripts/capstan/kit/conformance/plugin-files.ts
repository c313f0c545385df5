import type { Dirent } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SOURCE = /\.(?:ts|js|mjs)$/
const NO_SOURCE = /\.(?:d\.ts|spec\.ts|spec\.js)$/

/** Every module in a folder tree of a plugin, without declarations and tests. */
export async function sourcesBelow(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await entriesIn(folder)) {
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') found.push(...(await sourcesBelow(join(folder, entry.name))))
    } else if (SOURCE.test(entry.name) && !NO_SOURCE.test(entry.name)) found.push(join(folder, entry.name))
  }
  return found
}

/** Names in a folder; none without the folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await entriesIn(folder)).map(({ name }) => name)
}

async function entriesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** True when there is such a file. */
export async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
