import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Check } from './types.js'

/** Files that are named. */
const MOST_NAMED = 3

/** Folders of plugins, and when they were read (Unix milliseconds): the gateway's own at its start, those of the operator at the last reload. */
export interface PluginFolders {
  readonly bundled: string
  readonly startedAt: number
  readonly own: readonly string[]
  readonly loadedAt: number
}

/** Whether files of plugins changed on the disk since the gateway read them, so that it does not know them yet. */
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
    // A folder that is gone, or that this process may not read, is the loader's to report.
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
