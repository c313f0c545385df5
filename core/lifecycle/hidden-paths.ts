import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config/types.js'
import { isInside } from '../exec/inside.js'
import { artifactsFolder } from '../files/open.js'
import { packageRoot } from '../runtime/root.js'
import { ledgerFile } from '../store/open.js'

/** What lies beside the file of the embedded ledger. */
const BESIDE = ['', '-wal', '-shm', '.lock', '.reserve']
/** What programs in a sandbox need; a folder that holds one of them is not hidden as a whole. */
const NEEDED = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'share', 'local/bin', 'local/sbin', 'local/lib', 'local/share']

/** What a sandbox hides of this machine, wherever it would be seen. */
interface HiddenPaths {
  readonly protectedPaths: readonly string[]
  readonly coveredFolders: readonly string[]
}

/**
 * Protected: data, artifacts, the ledger's files, the configuration file and files of variables. Covered: the folders of configuration and
 * ledger, the package root and the working folder, of which code is shown by name. Absolute paths, with what links lead to.
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
