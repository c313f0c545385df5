import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { packageRoot } from '../runtime/root.js'
import { isInside } from './inside.js'

/** What is visible inside comes first: a version manager's shim in somebody's home could not run there. */
const STANDARD = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin']

const NODE_NAMES = ['node', 'nodejs']

/** Where programs are looked for beside the standard folders. */
interface ProgramPlaces {
  readonly path?: string
  /** The project's own tools, each in a folder of its name (`npm run tools`). */
  readonly tools?: string
}

/**
 * Absolute path of a program: the configured one, for `node` this process's own, else that of the project's own tools, then the standard folders,
 * then the PATH. Undefined when it is nowhere.
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
 * Host paths that must be shown inside for a program to start: none below /usr unless a covered folder hides it there, of a Node its binary
 * and its packages, else the program's folder and the libraries next to it.
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

/** Its prefix may be the `.local` of somebody's home, whose `share` and `lib` hold other things. */
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
