import type { Clock } from '../runtime/clock.js'
import { readExports, readManifest, type PluginExports } from './plugin-exports.js'
import { findThirdParty, type FoundPlugin } from './find.js'
import { fingerprint, overall } from './fingerprint.js'
import { thirdPartyImporter } from './importer.js'
import { lockFault, lockOrFault } from './lock.js'
import { messageOf } from './plugin-error.js'
import type { PluginReport } from './types.js'

interface ThirdPartyOptions {
  readonly thirdParty: readonly string[]
  readonly firstParty: string
  readonly bundled: readonly FoundPlugin[]
  readonly cacheFolder: string
  readonly lockFile: string | null
  readonly clock: Clock
  /** Longest evaluation of one module, in milliseconds. */
  readonly evaluationMs: number
  /** Exports of the plugins loaded before. */
  readonly before: readonly PluginExports[]
}

/** A third-party plugin to use: its current files, or its last usable version, with the reason in `outdated`. */
export interface Guest {
  readonly contents: PluginExports
  readonly outdated: string | null
}

interface ThirdParty {
  readonly guests: readonly Guest[]
  readonly setAside: readonly PluginReport[]
}

/**
 * Imports the operator's plugins. A fault of one does not affect others: one that was loaded before keeps that version,
 * any other is set aside.
 */
export async function readThirdParty(options: ThirdPartyOptions): Promise<ThirdParty> {
  const setAside: PluginReport[] = []
  const guests: Guest[] = []
  const found: FoundPlugin[] = []
  const taken = new Set(options.bundled.map(({ name }) => name))
  const refuse = (plugin: { name: string; folder: string; version: string }, reason: string): void => {
    const contents = options.before.find(({ found: known }) => known.folder === plugin.folder)
    if (contents === undefined || taken.has(contents.manifest.name)) setAside.push(setAsideOf(plugin, reason))
    else {
      guests.push({ contents, outdated: reason })
      taken.add(contents.manifest.name)
    }
  }
  for (const folder of options.thirdParty) {
    const plugins = await findThirdParty(folder)
    if (Array.isArray(plugins)) found.push(...plugins)
    else refuse({ name: folder, folder, version: '' }, plugins.reason)
  }
  const { lock, fault } = found.length === 0 ? { lock: null, fault: null } : await lockOrFault(options.lockFile)
  const contracts = new Map(
    [...options.bundled, ...found].flatMap(({ name, contract }): [string, string][] => (contract === null ? [] : [[name, contract]])),
  )
  for (const plugin of found) {
    let version = ''
    try {
      if (fault !== null) throw new Error(fault)
      const files = await fingerprint(plugin.root)
      const differs = lock === null ? null : lockFault(plugin, files, lock)
      if (differs !== null) throw new Error(differs)
      const load = await thirdPartyImporter(plugin, overall(files).slice(0, 16), { ...options, contracts })
      const manifest = await readManifest(plugin, load)
      version = manifest.version
      if (taken.has(manifest.name)) throw new Error(`another plugin is called ${manifest.name} already; rename one`)
      guests.push({ contents: await readExports(plugin, manifest, load), outdated: null })
      taken.add(manifest.name)
    } catch (error) {
      refuse({ name: plugin.name, folder: plugin.folder, version }, messageOf(error))
    }
  }
  return { guests, setAside }
}

/** The report of a third-party plugin that was set aside. */
export function setAsideOf({ name, version, folder }: { name: string; version: string; folder: string }, reason: string): PluginReport {
  return { name, version, folder, party: 'third', state: 'set-aside', reason, outdated: null, remarks: [] }
}
