import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isRecord } from '../sdk/record.js'

/** Conditions of `exports` that apply to imports by the gateway. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default'])

/** The name and main file of a package. */
interface PackageEntry {
  readonly name: string | null
  /** The file that `exports` or `main` names, absolute. */
  readonly file: string
}

/** The main file of the package in a folder; null without one. Throws for an unreadable package.json or a file outside the folder. */
export async function packageEntry(folder: string): Promise<PackageEntry | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(absent)
  if (text === null) return null
  const content: unknown = JSON.parse(text)
  if (!isRecord(content)) throw new Error(`${join(folder, 'package.json')} is not an object`)
  const { name, main } = content
  const target = exported(content.exports) ?? (typeof main === 'string' ? main : null)
  if (target === null) return null
  const file = join(folder, target)
  if (relative(folder, file).startsWith('..'))
    throw new Error(`${join(folder, 'package.json')} names ${target}, which is not in the package`)
  return { name: typeof name === 'string' ? name : null, file }
}

/** The target of `exports` for the package itself (Node.js documentation, "Packages"), or null. */
function exported(exports: unknown): string | null {
  if (typeof exports === 'string') return exports
  if (!isRecord(exports)) return null
  if ('.' in exports) return exported(exports['.'])
  for (const [condition, target] of Object.entries(exports)) {
    const found = CONDITIONS.has(condition) ? exported(target) : null
    if (found !== null) return found
  }
  return null
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
  throw error
}
