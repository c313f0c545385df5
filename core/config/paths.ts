import { dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'

/** Base folders of relative paths in the file, in variables and in defaults. */
export interface Folders {
  readonly file: string
  readonly variable: string
  readonly default: string
}

/** Makes a path absolute, alone or after `sqlite:` or `file:`; addresses such as `mongodb://…` stay unchanged. */
export function absolute(text: string, folder: string): string {
  const [, scheme, rest] = /^(sqlite|file):(.*)$/s.exec(text) ?? []
  if (scheme !== undefined && rest !== undefined) return `${scheme}:${resolve(folder, rest)}`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : resolve(folder, text)
}

/** The fault of a path that begins with `~`, which only a shell replaces, in words that follow its name, or null. */
export function homeFault(text: string): string | null {
  return /^(?:sqlite:|file:)?~(?:\/|$)/.test(text) ? 'begins with ~, which only a shell replaces: write the full path' : null
}

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
