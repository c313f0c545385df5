import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'

/** What is visible inside comes first: a version manager's shim in somebody's home could not run there. */
const STANDARD = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin']

/** Absolute path of a program: the configured one, for `node` this process's own, else the standard folders, then the PATH. Undefined when it is nowhere. */
export function findProgram(name: string, configured: string | undefined, path = process.env['PATH'] ?? ''): string | undefined {
  if (configured !== undefined) return isExecutable(configured) ? configured : undefined
  if (name === 'node') return process.execPath
  if (name.includes('/')) return isAbsolute(name) && isExecutable(name) ? name : undefined
  const folders = [...STANDARD, ...path.split(':').filter(isAbsolute)]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/** Host folders that must be shown inside for a program to start: none below /usr, else its own folder and the libraries next to it. */
export function programFolders(program: string): string[] {
  const real = realpathSync(program)
  const folders = [program, real].filter((path) => !path.startsWith('/usr/') && !/^\/s?bin\//.test(path)).map((path) => dirname(path))
  const beside = folders
    .filter((folder) => basename(folder) === 'bin')
    .flatMap((folder) => ['lib', 'lib64', 'share', 'pyvenv.cfg'].map((name) => join(folder, '..', name)))
  return [...new Set([...folders, ...beside.filter((path) => existsSync(path))])]
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
