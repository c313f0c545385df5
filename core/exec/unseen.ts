import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxOptions } from './host.js'
import { isInside } from './inside.js'
import { findProgram, programFolders } from './programs.js'
import { refusal } from './shown.js'

/** Languages of jobs. */
const LANGUAGES = ['node', 'python3', 'bash']
/** Most paths tested in one check; each costs a few processes inside. */
const MOST = 100

/** Host folders that are visible to a job in any language. */
export function languageFolders(host: SandboxOptions): string[] {
  const programs = LANGUAGES.flatMap((name) => findProgram(name, host.programs(name)) ?? [])
  const folders = programs.flatMap((program) => programFolders(program, host.coveredFolders))
  return [...new Set(folders)].filter((folder) => refusal(host, folder) === null)
}

/** The paths that a job must not see while `shown` are visible: for a parent of a visible folder, its other entries. */
export function unseen(paths: readonly string[], shown: readonly string[]): string[] {
  const without = (path: string): string[] => {
    if (shown.includes(path)) return []
    return shown.some((folder) => isInside(folder, path)) ? entries(path).flatMap(without) : [path]
  }
  return [...new Set(paths.flatMap(without))].slice(0, MOST)
}

/** The entries of a folder; none when this process must not read it, since then a job must not either. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'ENOENT')) return []
    throw error
  }
}
