import type { Clock } from '../runtime/clock.js'
import { type PluginExports, readExports, readManifest } from './plugin-exports.js'
import { findFirstParty, findThirdParty, type FoundPlugin } from './find.js'
import { fingerprint, overall } from './fingerprint.js'
import { importBundled, thirdPartyImporter } from './importer.js'
import { lockFault, lockOrFault } from './lock.js'
import { messageOf, PluginError } from './plugin-error.js'
import type { PluginReport, Registry } from './types.js'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/types.js'
import type { Log } from '../runtime/log-events.js'
import { packageRoot } from '../runtime/root.js'
import { SchemaCompiler } from '../sdk/index.js'
import { CapabilityTable } from './capability-table.js'
import { makeRegistry } from './registry.js'
import { assertSchemas } from './strict-schema.js'
import { ProviderTable } from './provider-table.js'

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
interface Guest {
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
async function readThirdParty(options: ThirdPartyOptions): Promise<ThirdParty> {
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
function setAsideOf({ name, version, folder }: { name: string; version: string; folder: string }, reason: string): PluginReport {
  return { name, version, folder, party: 'third', state: 'set-aside', reason, outdated: null, remarks: [] }
}

export interface LoadOptions {
  readonly config: Config
  /** Absolute path of an installed program, by the name vendors declare. */
  readonly programs: (name: string) => string | undefined
  /** Folders of the operator's plugins: each a plugin, or a folder of plugins. */
  readonly thirdParty: readonly string[]
  readonly clock: Clock
  readonly log: Log
  /** Folder for compiled third-party TypeScript. */
  readonly cacheFolder: string
  /** plugins.lock, which may be missing; null to use none. */
  readonly lockFile: string | null
  /** Exports of the operator's loaded plugins, kept for those whose files cannot be used now. Empty at the start. */
  readonly before?: readonly PluginExports[]
  /** Folder of the compiled bundled plugins, default `plugins` beside the running core. */
  readonly firstParty?: string
  /** Folder of their sources and data files, default `plugins` of the package; null when there is none. */
  readonly sourceFolder?: string | null
}

/** Folder of the compiled bundled plugins. */
export function bundledFolder(): string {
  return fileURLToPath(new URL('../../plugins', import.meta.url))
}

/**
 * Finds, imports, checks and registers every plugin. Throws PluginError, naming plugin and file, when a bundled plugin
 * is broken, and ConfigError when the operator's prices do not fit. A broken third-party plugin keeps its version of
 * `before`, or is set aside; both are reported.
 */
export async function loadPlugins(options: LoadOptions): Promise<Registry> {
  const firstParty = options.firstParty ?? bundledFolder()
  const sourceFolder = options.sourceFolder === undefined ? join(packageRoot(), 'plugins') : options.sourceFolder
  const bundled: PluginExports[] = []
  for (const found of await findFirstParty(firstParty, sourceFolder))
    bundled.push(await readExports(found, await readManifest(found, importBundled), importBundled))
  const before = options.before ?? []
  const third = await readThirdParty({
    ...options,
    before,
    firstParty,
    bundled: bundled.map(({ found }) => found),
    evaluationMs: options.config.settings.limits.plugin_load * 1000,
  })

  const compiler = new SchemaCompiler()
  const capabilityTable = new CapabilityTable(compiler)
  const setAside: PluginReport[] = [...third.setAside]
  for (const contents of bundled) capabilityTable.add(contents)
  const guests: Guest[] = []
  for (const guest of third.guests) {
    const { found, manifest } = guest.contents
    const fault = contractFault(capabilityTable, compiler, guest.contents)
    const known = before.find((contents) => contents.found.folder === found.folder && contents !== guest.contents)
    if (fault === null) guests.push(guest)
    else if (known !== undefined && contractFault(capabilityTable, compiler, known) === null)
      guests.push({ contents: known, outdated: fault })
    else setAside.push(setAsideOf({ name: found.name, folder: found.folder, version: manifest.version }, fault))
  }

  const providerTable = new ProviderTable(options.config, options.programs)
  const taken = [...bundled.map((contents): Guest => ({ contents, outdated: null })), ...guests].map(({ contents, outdated }) => ({
    contents,
    outdated,
    remarks: takeProviders(capabilityTable, providerTable, contents),
  }))
  const plugins = [
    ...taken.map(({ contents: { found, manifest }, outdated, remarks }): PluginReport => {
      const { folder, party } = found
      return { name: manifest.name, version: manifest.version, folder, party, state: 'live', reason: null, outdated, remarks }
    }),
    ...setAside,
  ]
  for (const { name, folder, reason, outdated, remarks } of plugins) {
    for (const text of reason === null ? remarks : [reason])
      options.log('plugin-set-aside', 'plugin set aside', { plugin: name, folder, reason: text })
    if (outdated !== null)
      options.log('plugin-outdated', 'the changed plugin cannot be loaded; the version in use stays', {
        plugin: name,
        folder,
        reason: outdated,
      })
  }
  const contributions = taken.map(({ contents }) => contents.manifest)
  return makeRegistry({
    capabilityTable,
    providerTable,
    config: options.config,
    plugins,
    contributions,
    guests: guests.map(({ contents }) => contents),
  })
}

/** Registers a contract; returns the fault, or null. */
function contractFault(capabilityTable: CapabilityTable, compiler: SchemaCompiler, contents: PluginExports): string | null {
  try {
    assertSchemas(compiler, contents)
    capabilityTable.add(contents)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** Registers a plugin's providers; returns remarks on those set aside. A provider for an undeclared port is never fatal. */
function takeProviders(capabilityTable: CapabilityTable, providerTable: ProviderTable, contents: PluginExports): string[] {
  const remarks: string[] = []
  for (const placed of contents.providers) {
    const { of, vendor } = placed.value
    if (!capabilityTable.ports.has(of.id)) {
      remarks.push(
        new PluginError(contents.manifest.name, placed.file, `vendor ${vendor.id} serves ${of.id}, a port that no plugin declares`).message,
      )
      continue
    }
    try {
      providerTable.add(placed, contents)
    } catch (error) {
      if (contents.found.party === 'first') throw error
      remarks.push(messageOf(error))
    }
  }
  return remarks
}
