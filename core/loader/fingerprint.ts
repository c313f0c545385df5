import { createHash } from 'node:crypto'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

/** Extensions that can be imported, natively or through jiti. */
const IMPORTABLE = ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.json', '.node', '.wasm']

/**
 * SHA-256 (hex) of every file in a folder tree, by relative path, sorted. Of its `.git`, which every Git command changes,
 * only importable files count. Throws for a link out of the folder, whose target could change undetected.
 */
export async function fingerprint(folder: string): Promise<ReadonlyMap<string, string>> {
  const root = await realpath(folder)
  const files: [string, string][] = []
  const git = join(root, '.git')
  const walk = async (current: string, counts: (name: string) => boolean): Promise<void> => {
    for (const entry of await readdir(current, { withFileTypes: true })) {
      const path = join(current, entry.name)
      if (entry.isDirectory()) await walk(path, path === git ? isImportable : counts)
      else if (counts(entry.name) || entry.isSymbolicLink())
        files.push([
          relative(root, path).split(sep).join('/'),
          entry.isSymbolicLink() ? await linkHash(root, path) : sha256(await readFile(path)),
        ])
    }
  }
  await walk(root, () => true)
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** One hash over all files of a fingerprint. */
export function overall(files: ReadonlyMap<string, string>): string {
  return sha256([...files].map(([path, hash]) => `${hash}  ${path}\n`).join(''))
}

function isImportable(name: string): boolean {
  return IMPORTABLE.includes(extname(name).toLowerCase())
}

async function linkHash(root: string, path: string): Promise<string> {
  const target = await realpath(path)
  if (target !== root && !target.startsWith(root + sep))
    throw new Error(`${relative(root, path)} is a link that leads out of the plugin's folder`)
  return sha256(`link ${await readlink(path)}`)
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
