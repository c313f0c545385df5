import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxOptions } from './host.js'
import { isInside } from './inside.js'
import { findProgram, programFolders } from './programs.js'
import { refusal } from './shown.js'

/** What jobs in one of these languages are shown. */
const LANGUAGES = ['node', 'python3', 'bash']
/** Paths tried in one check; each costs a few processes inside. */
const MOST = 100

/** Host folders that a job in any language would be shown. */
export function languageFolders(host: SandboxOptions): string[] {
  const programs = LANGUAGES.flatMap((name) => findProgram(name, host.programs(name)) ?? [])
  const folders = programs.flatMap((program) => programFolders(program, host.coveredFolders))
  return [...new Set(folders)].filter((folder) => refusal(host, folder) === null)
}

/** The paths that a job must not see while these are shown to it: for a folder above a shown one, what else lies in that folder. */
export function unseen(paths: readonly string[], shown: readonly string[]): string[] {
  const without = (path: string): string[] => {
    if (shown.includes(path)) return []
    return shown.some((folder) => isInside(folder, path)) ? entries(path).flatMap(without) : [path]
  }
  return [...new Set(paths.flatMap(without))].slice(0, MOST)
}

/** What lies in a folder; nothing when this process may not look, because then a job may not either. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'ENOENT')) return []
    throw error
  }
}
