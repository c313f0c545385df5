import { resolve } from 'node:path'

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
