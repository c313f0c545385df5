import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileFault, isFile } from '../../../../core/runtime/file-faults.js'

/** Files to write, by absolute path. */
type NewFiles = ReadonlyMap<string, string>

/** Writes files that must not exist yet; throws before the first when one does. Returns the paths. */
export async function writeNew(files: NewFiles): Promise<string[]> {
  for (const path of files.keys()) if ((await textOf(path)) !== null) throw new Error(`${path} already exists; nothing was written`)
  for (const [path, text] of files) {
    await made(dirname(path))
    await writeFile(path, text, { flag: 'wx' })
  }
  return [...files.keys()]
}

/** Throws for a folder that is a file. */
export function requireFolder(folder: string): void {
  if (isFile(folder)) throw new Error(`${folder} is a file, not a folder; set another place with --folder`)
}

async function made(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new Error(`the folder ${folder} cannot be created: ${fileFault(error)}; set another place with --folder`, { cause: error })
  }
}

/** Replaces the text of a file. */
export async function rewrite(path: string, text: string): Promise<void> {
  await writeFile(path, text)
}

/** The text of a file, or null when there is none. */
export async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
