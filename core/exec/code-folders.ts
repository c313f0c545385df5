import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../runtime/root.js'
import { isInside } from './inside.js'

/** Folders with the code of a module and its imports: the build, the installed packages, and an external plugin's own folder. Never the whole package root, which may contain data. */
export function codeFolders(module: URL): string[] {
  const root = packageRoot()
  const build = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
  const file = fileURLToPath(module)
  const own = ['node_modules', 'package.json', 'config'].map((name) => join(root, name)).filter((path) => existsSync(path))
  const folders = [build === root ? join(root, 'core') : build, ...own]
  if (!folders.some((folder) => isInside(file, folder)))
    folders.push(isInside(file, root) ? join(root, relative(root, file).split(sep)[0] ?? '') : pluginFolder(file))
  return [...new Set(folders.flatMap((folder) => [folder, realpathSync(folder)]))]
}

function pluginFolder(file: string): string {
  const own = dirname(file)
  const marked = [own, dirname(own), dirname(dirname(own))].find(
    (folder) => existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'index.js')),
  )
  return marked ?? own
}
