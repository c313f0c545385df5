import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { absolute } from './paths.js'

const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/**
 * The folder of a plugin: a path, or the name of a package, searched in the `node_modules` of the working folder and
 * its parents. An existing folder takes precedence. A missing package resolves to the first place searched.
 */
export function pluginFolder(text: string, base: string, cwd: string): string {
  const path = absolute(text, base)
  if (!PACKAGE.test(text) || existsSync(path)) return path
  return installed(text, cwd) ?? join(cwd, 'node_modules', text)
}

function installed(name: string, folder: string): string | null {
  const found = join(folder, 'node_modules', name)
  if (existsSync(found)) return found
  const above = dirname(folder)
  return above === folder ? null : installed(name, above)
}
