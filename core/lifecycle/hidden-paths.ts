import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config/types.js'
import { isInside } from '../exec/view.js'
import { artifactsFolder } from '../files/open.js'
import { packageRoot } from '../runtime/root.js'
import { ledgerFile } from '../store/open.js'

/** Suffixes of the files of the embedded ledger. */
const BESIDE = ['', '-wal', '-shm', '.lock', '.reserve']
/** Folders that sandboxed programs need; a folder that contains one of them is not hidden. */
const NEEDED = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'share', 'local/bin', 'local/sbin', 'local/lib', 'local/share']

/** Paths of this machine that a sandbox hides. */
interface HiddenPaths {
  readonly protectedPaths: readonly string[]
  readonly coveredFolders: readonly string[]
}

/**
 * Protected: data, artifacts, files of ledger, configuration and variables. Covered: the folders of configuration and
 * ledger, the package root and the working folder, of which only named code is visible. Absolute, with link targets.
 */
export function hiddenPaths({ settings, file }: Config, cwd = process.cwd()): HiddenPaths {
  const { data, store, artifacts } = settings
  const ledger = ledgerFile(store, data)
  const blobs = artifactsFolder(artifacts, data)
  const folders = [cwd, packageRoot(), ...[file, ledger].flatMap((path) => (path === null ? [] : [dirname(path)]))]
  const files = [...(file === null ? [] : [file]), ...folders.map((folder) => join(folder, '.env'))]
  return {
    protectedPaths: withTargets([
      data,
      ...(blobs === null ? [] : [blobs]),
      ...(ledger === null ? [] : BESIDE.map((end) => ledger + end)),
      ...files,
    ]),
    coveredFolders: withTargets(folders).filter((folder) => !NEEDED.some((name) => isInside(join('/usr', name), folder))),
  }
}

function withTargets(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => (existsSync(path) ? [path, realpathSync(path)] : [path])))]
}
