import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Check } from './types.js'

/** Most files named in the check. */
const MOST_NAMED = 3

/** Plugin folders and when they were read (Unix milliseconds): the bundled one at the start, the operator's at the last reload. */
export interface PluginFolders {
  readonly bundled: string
  readonly startedAt: number
  readonly own: readonly string[]
  readonly loadedAt: number
}

/** Checks whether plugin files have changed on disk since the gateway loaded them. */
export async function changedPluginsCheck({ bundled, startedAt, own, loadedAt }: PluginFolders): Promise<Check> {
  const [ofBundled, ofOwn] = await Promise.all([
    changedSince(bundled, startedAt),
    Promise.all(own.map((folder) => changedSince(folder, loadedAt))),
  ])
  const named = [...ofBundled, ...ofOwn.flat()]
  const remedy = ofBundled.length > 0 ? 'restart the gateway' : `reload them with kill -HUP ${process.pid}, or restart the gateway`
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : ''
  return {
    name: 'plugin files',
    ok: named.length === 0,
    detail:
      named.length === 0
        ? 'as the gateway read them'
        : `changed since the gateway read them (${named.slice(0, MOST_NAMED).join(', ')}${more}): ${remedy}`,
  }
}

async function changedSince(folder: string, time: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    // The loader reports a folder that is missing or unreadable.
    if (error instanceof Error && 'code' in error) return []
    throw error
  })
  const files = entries
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files
      .filter((file) => !/[\\/]node_modules[\\/]|\.spec\.ts$/.test(file))
      .map(async (file) => ({ file, at: (await stat(file).catch(() => null))?.mtimeMs ?? 0 })),
  )
  return found.filter(({ at }) => at > time).map(({ file }) => relative(folder, file))
}
