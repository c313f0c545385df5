import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { packageRoot } from '../runtime/root.js'
import { isInside } from './view.js'

/** Folders visible inside come first: a version manager's shim in a home folder could not run there. */
const STANDARD = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin']

const NODE_NAMES = ['node', 'nodejs']

/** Folders to search for programs in addition to the standard ones. */
interface ProgramPlaces {
  readonly path?: string
  /** The project's own tools, each in a folder named after it (`npm run tools`). */
  readonly tools?: string
}

/**
 * Absolute path of a program: the configured one, for `node` this process's own, else from the project's own tools, the standard folders or
 * the PATH, in this order. Undefined when it is not found.
 */
export function findProgram(
  name: string,
  configured: string | undefined,
  { path = process.env['PATH'] ?? '', tools = join(packageRoot(), '.tools') }: ProgramPlaces = {},
): string | undefined {
  if (configured !== undefined) return isExecutable(configured) ? configured : undefined
  if (name === 'node') return process.execPath
  if (name.includes('/')) return isAbsolute(name) && isExecutable(name) ? name : undefined
  const folders = [join(tools, name, 'bin'), ...STANDARD, ...path.split(':').filter(isAbsolute)]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/**
 * Host paths that must be visible inside for a program to start: none below /usr unless a covered folder hides it there; for Node its
 * binary and its packages; else the program's folder and the libraries next to it.
 */
export function programFolders(program: string, covered: readonly string[] = []): string[] {
  const real = realpathSync(program)
  const isThere = (path: string): boolean =>
    (path.startsWith('/usr/') || /^\/s?bin\//.test(path)) && !covered.some((folder) => isInside(path, folder))
  const paths = [...new Set([program, real])].filter((path) => !isThere(path))
  if (NODE_NAMES.includes(basename(real))) return paths.flatMap(nodePaths)
  const folders = paths.map((path) => dirname(path))
  const beside = folders
    .filter((folder) => basename(folder) === 'bin')
    .flatMap((folder) => ['lib', 'lib64', 'share', 'pyvenv.cfg'].map((name) => join(folder, '..', name)))
  return [...new Set([...folders, ...beside.filter((path) => existsSync(path))])]
}

/** Only the binary and packages: the prefix may be `.local` in a home folder, which contains other data. */
function nodePaths(binary: string): string[] {
  const packages = join(dirname(binary), '..', 'lib', 'node_modules')
  return basename(dirname(binary)) === 'bin' && existsSync(packages) ? [binary, packages] : [binary]
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
