import { resolve } from 'node:path'

/** Where relative paths begin: those of the file, of variables, and of defaults. */
export interface Folders {
  readonly file: string
  readonly variable: string
  readonly default: string
}

/** A path made absolute, alone or behind `sqlite:` or `file:`; addresses such as `mongodb://…` stay as they are. */
export function absolute(text: string, folder: string): string {
  const [, scheme, rest] = /^(sqlite|file):(.*)$/s.exec(text) ?? []
  if (scheme !== undefined && rest !== undefined) return `${scheme}:${resolve(folder, rest)}`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : resolve(folder, text)
}

/** A path that begins with `~`, which a shell alone replaces; in words that follow its name, null for every other. */
export function homeFault(text: string): string | null {
  return /^(?:sqlite:|file:)?~(?:\/|$)/.test(text) ? 'begins with ~, which only a shell replaces: write the whole path' : null
}
