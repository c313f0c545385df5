import type { Clock } from '../clock.js'
import { readContents, readManifest, type PluginContents } from './contents.js'
import { findThirdParty, type FoundPlugin } from './find.js'
import { fingerprint, overall } from './fingerprint.js'
import { thirdPartyImporter } from './importer.js'
import { lockFault, lockOrFault } from './lock.js'
import { messageOf } from './plugin-error.js'
import type { PluginReport } from './port.js'

interface ThirdPartyOptions {
  readonly thirdParty: readonly string[]
  readonly firstParty: string
  readonly bundled: readonly FoundPlugin[]
  readonly cacheFolder: string
  readonly lockFile: string | null
  readonly clock: Clock
}

interface ThirdParty {
  readonly contents: readonly PluginContents[]
  readonly setAside: readonly PluginReport[]
}

/** Imports the operator's plugins. Whatever is wrong with one of them sets it aside and touches no other. */
export async function readThirdParty(options: ThirdPartyOptions): Promise<ThirdParty> {
  const setAside: PluginReport[] = []
  const found: FoundPlugin[] = []
  for (const folder of options.thirdParty) {
    const plugins = await findThirdParty(folder)
    if (Array.isArray(plugins)) found.push(...plugins)
    else setAside.push({ name: folder, version: '', folder, party: 'third', state: 'set-aside', reason: plugins.reason, remarks: [] })
  }
  const { lock, fault } = found.length === 0 ? { lock: null, fault: null } : await lockOrFault(options.lockFile)
  const contracts = new Map(
    [...options.bundled, ...found].flatMap(({ name, contract }): [string, string][] => (contract === null ? [] : [[name, contract]])),
  )
  const taken = new Set(options.bundled.map(({ name }) => name))
  const contents: PluginContents[] = []
  for (const plugin of found) {
    let version = ''
    try {
      if (fault !== null) throw new Error(fault)
      const files = await fingerprint(plugin.code)
      const differs = lock === null ? null : lockFault(plugin, files, lock)
      if (differs !== null) throw new Error(differs)
      const load = await thirdPartyImporter(plugin, overall(files).slice(0, 16), { ...options, contracts })
      const manifest = await readManifest(plugin, load)
      version = manifest.version
      if (taken.has(manifest.name)) throw new Error(`another plugin is called ${manifest.name} already; rename one`)
      contents.push(await readContents(plugin, manifest, load))
      taken.add(manifest.name)
    } catch (error) {
      setAside.push({
        name: plugin.name,
        version,
        folder: plugin.folder,
        party: 'third',
        state: 'set-aside',
        reason: messageOf(error),
        remarks: [],
      })
    }
  }
  return { contents, setAside }
}
