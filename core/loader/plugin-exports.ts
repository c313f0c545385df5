import { relative, sep } from 'node:path'
import {
  contributionOf,
  kindOf,
  SDK_CHANGE,
  SDK_VERSION,
  type CapabilityContribution,
  type HandlerContribution,
  type PluginContribution,
  type PortContribution,
  type ProviderContribution,
  type TObject,
} from '../sdk/index.js'
import type { FoundPlugin } from './find.js'
import type { ImportModule } from './importer.js'
import { messageOf, PluginError } from './plugin-error.js'
import { manifestTextFault } from './text-rules.js'

const NAME = /^[a-z][a-z0-9-]*$/

/** The files in which the loader finds each kind of contribution; it reads only the manifest from the index. */
const PLACES = {
  port: 'a file contract beside it',
  capability: 'a file contract beside it',
  handler: 'a file handler beside it',
  provider: 'a file of the folder providers beside it',
} as const

/** A contribution and its file, relative to the plugin. */
export interface Placed<C> {
  readonly file: string
  readonly value: C
}

/** The exports of a plugin's files. */
export interface PluginExports {
  readonly found: FoundPlugin
  readonly manifest: PluginContribution
  readonly ports: readonly Placed<PortContribution>[]
  readonly capabilities: readonly Placed<CapabilityContribution>[]
  readonly handlers: readonly Placed<HandlerContribution>[]
  readonly providers: readonly Placed<ProviderContribution>[]
}

/** Imports only the index and checks the manifest. Throws PluginError. */
export async function readManifest(found: FoundPlugin, load: ImportModule): Promise<PluginContribution> {
  const file = displayPath(found, found.index)
  const exported = await contributions(found, found.index, load)
  const manifests = exported.filter(isManifest)
  const [manifest] = manifests
  if (manifest === undefined || manifests.length > 1)
    throw new PluginError(found.name, file, 'must export exactly one plugin({ name, version, sdk, title })')
  if (manifest.sdk !== SDK_VERSION)
    throw new PluginError(
      found.name,
      file,
      `was written for sdk ${String(manifest.sdk)} and this gateway has sdk ${String(SDK_VERSION)}${manifest.sdk < SDK_VERSION ? ` (${SDK_CHANGE})` : ''}; use a version of the plugin made for it`,
    )
  if (typeof manifest.name !== 'string' || !NAME.test(manifest.name))
    throw new PluginError(found.name, file, `the name ${JSON.stringify(manifest.name)} is not words of a-z, 0-9 and -`)
  if (found.party === 'first' && manifest.name !== found.name)
    throw new PluginError(found.name, file, `is called ${manifest.name} but is in the folder ${found.name}`)
  const text = manifestTextFault(manifest)
  if (text !== null) throw new PluginError(found.name, file, text)
  return manifest
}

/**
 * Imports the contract, the handler and every provider file, each once. Throws PluginError, also for a contribution
 * that only the index exports; re-exports are allowed.
 */
export async function readExports(found: FoundPlugin, manifest: PluginContribution, load: ImportModule): Promise<PluginExports> {
  const ports: Placed<PortContribution>[] = []
  const capabilities: Placed<CapabilityContribution>[] = []
  const handlers: Placed<HandlerContribution>[] = []
  const providers: Placed<ProviderContribution>[] = []
  for (const path of [found.contract, found.handler, ...found.providers]) {
    if (path === null) continue
    const file = displayPath(found, path)
    for (const value of await contributions(found, path, load)) {
      if (isPort(value)) ports.push({ file, value })
      else if (isCapability(value)) capabilities.push({ file, value })
      else if (isHandler(value)) handlers.push({ file, value })
      else if (isProvider(value)) providers.push({ file, value })
      else throw new PluginError(found.name, file, 'exports a plugin manifest, which belongs only in index')
    }
  }
  const seen = new Set<Contributed>([...ports, ...capabilities, ...handlers, ...providers].map(({ value }) => value))
  for (const stray of await contributions(found, found.index, load)) {
    const kind = kindOf(stray)
    if (kind !== 'plugin' && !seen.has(stray))
      throw new PluginError(found.name, displayPath(found, found.index), `exports a ${kind}, which belongs in ${PLACES[kind]}`)
  }
  return { found, manifest, ports, capabilities, handlers, providers }
}

type Contributed = NonNullable<ReturnType<typeof contributionOf>>
const isManifest = (value: Contributed): value is PluginContribution => kindOf(value) === 'plugin'
const isPort = (value: Contributed): value is PortContribution => kindOf(value) === 'port'
const isCapability = (value: Contributed): value is CapabilityContribution => kindOf(value) === 'capability'
const isHandler = (value: Contributed): value is HandlerContribution => kindOf(value) === 'handler'
const isProvider = (value: Contributed): value is ProviderContribution => kindOf(value) === 'provider'

/** The contributions among a file's named exports, whatever their names; other exports are ignored. */
async function contributions(found: FoundPlugin, path: string, load: ImportModule): Promise<Contributed[]> {
  const file = displayPath(found, path)
  let module: Readonly<Record<string, unknown>>
  try {
    module = await load(path)
  } catch (error) {
    throw new PluginError(found.name, file, `cannot be loaded: ${messageOf(error)}`, error)
  }
  if (contributionOf(module.default) !== undefined)
    throw new PluginError(found.name, file, 'has a default export; the loader reads named exports')
  const values = Object.entries(module).flatMap(([name, value]) => (name === 'default' ? [] : (contributionOf(value) ?? [])))
  return [...new Set(values)]
}

/** A file's path for messages: relative to the plugin, source instead of output. */
function displayPath(found: FoundPlugin, path: string): string {
  const name = relative(found.code, path).split(sep).join('/')
  return found.party === 'first' ? name.replace(/\.js$/, '.ts') : name
}

type WithSettings = Placed<{ readonly settings?: TObject }>

/** Throws PluginError for a handler or provider that names settings other than those its own plugin declares. */
export function assertOwnSettings(manifest: PluginContribution, { file, value }: WithSettings): void {
  if (value.settings === undefined || value.settings === manifest.settings) return
  const change = 'pass the same object there and to plugin({ settings }) in index'
  throw new PluginError(manifest.name, file, `names settings that its plugin does not declare; ${change}`)
}
