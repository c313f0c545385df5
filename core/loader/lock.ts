import { readFile, rename, writeFile } from 'node:fs/promises'
import { findThirdParty, type FoundPlugin } from './find.js'
import { fingerprint } from './fingerprint.js'
import { messageOf } from './plugin-error.js'
import { isRecord } from '../sdk/json.js'

/** Files of locked plugins: folder name to relative path to SHA-256. */
type PluginLock = ReadonlyMap<string, ReadonlyMap<string, string>>

const REMEDY = 'review the change and run `capstan plugin lock` to accept it'

/** Writes the hashes of all files of third-party plugins to the lock file, atomically; returns how many plugins. */
export async function lockPlugins(folders: readonly string[], file: string): Promise<number> {
  const plugins: Record<string, Record<string, string>> = {}
  for (const folder of folders) {
    const found = await findThirdParty(folder)
    if (!Array.isArray(found)) throw new Error(found.reason)
    for (const plugin of found) {
      if (plugin.name in plugins)
        throw new Error(`two plugin folders are called ${plugin.name}; rename one, since the lock identifies them by name`)
      plugins[plugin.name] = Object.fromEntries(await fingerprint(plugin.root))
    }
  }
  await writeFile(`${file}.new`, `${JSON.stringify({ version: 1, plugins }, null, 2)}\n`)
  await rename(`${file}.new`, file)
  return Object.keys(plugins).length
}

/** The lock, or null without a file. Throws for an invalid file. */
async function readLock(file: string): Promise<PluginLock | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const content: unknown = JSON.parse(text)
  if (!isRecord(content) || content.version !== 1 || !isRecord(content.plugins))
    throw new Error(`${file} is not a plugin lock of version 1`)
  return new Map(
    Object.entries(content.plugins).map(([name, files]) => [
      name,
      new Map(Object.entries(isRecord(files) ? files : {}).map(([path, hash]) => [path, String(hash)])),
    ]),
  )
}

/** Why a plugin differs from the lock, or null when every file matches. */
export function lockFault(plugin: FoundPlugin, files: ReadonlyMap<string, string>, lock: PluginLock): string | null {
  const locked = lock.get(plugin.name)
  if (locked === undefined) return `the plugin is not in the lock file; ${REMEDY}`
  for (const [path, hash] of files) {
    if (!locked.has(path)) return `${path} was added since the plugin was locked; ${REMEDY}`
    if (locked.get(path) !== hash) return `${path} differs from the lock file; ${REMEDY}`
  }
  const gone = [...locked.keys()].find((path) => !files.has(path))
  return gone === undefined ? null : `${gone} was removed since the plugin was locked; ${REMEDY}`
}

/** Reads the lock. Fails closed: an unreadable file is a fault, for which third-party plugins are set aside. */
export async function lockOrFault(file: string | null): Promise<{ lock: PluginLock | null; fault: string | null }> {
  if (file === null) return { lock: null, fault: null }
  try {
    return { lock: await readLock(file), fault: null }
  } catch (error) {
    return { lock: null, fault: `the lock file cannot be read: ${messageOf(error)}` }
  }
}
