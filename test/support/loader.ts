import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../core/runtime/clock.js'
import type { Config, Settings, VendorConfig } from '../../core/config/types.js'
import { loadPlugins, type LoadOptions } from '../../core/loader/load.js'
import type { Registry } from '../../core/loader/types.js'
import type { Vendor } from '../../core/sdk/index.js'
import { packageRoot } from '../../core/runtime/root.js'
import { logInto, type LogLine } from './log-lines.js'

/** What a test's operator configured. */
export interface FakeConfig {
  readonly env?: Readonly<Record<string, string>>
  readonly urls?: Readonly<Record<string, string>>
  readonly orders?: Readonly<Record<string, { order: readonly string[]; source: 'variable' | 'file' | 'default' }>>
  /** The order of config/waterfall.json. */
  readonly defaults?: Readonly<Record<string, readonly string[]>>
  readonly prices?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** A Config made of plain values; settings of the core are not there, because the loader reads none. */
export function fakeConfig({ env = {}, urls = {}, orders = {}, defaults = {}, prices = {} }: FakeConfig = {}): Config {
  const vendor = ({ id, secrets = {}, optionalSecrets = {}, settings }: Vendor): VendorConfig => {
    const declared = Object.entries({ ...secrets, ...optionalSecrets })
    const defaults = Object.entries(settings?.properties ?? {}).flatMap(([name, schema]) =>
      'default' in schema ? [[name, schema.default]] : [],
    )
    return {
      url: urls[id] ?? null,
      secrets: new Map(
        declared.flatMap(([name, variable]): [string, string][] => (env[variable] === undefined ? [] : [[name, env[variable]]])),
      ),
      missing: Object.values(secrets).filter((variable) => env[variable] === undefined),
      settings: Object.fromEntries(defaults) as Record<string, unknown>,
    }
  }
  return {
    settings: { limits: { plugin_load: 15 } } as Settings,
    file: null,
    waterfall: (port) => orders[port] ?? null,
    defaultOrder: (port) => defaults[port] ?? [],
    prices: (capability) => prices[capability] ?? null,
    vendor,
    plugin: () => ({}),
    program: () => null,
    variable: (name) =>
      `CAPSTAN_${name
        .replace(/^(vendor|program|plugin)s\./, (_all, word: string) => (word === 'plugin' ? '' : `${word}.`))
        .replace(/[^a-z0-9]/gi, '_')
        .toUpperCase()}`,
    place: (name) => name,
    problems: () => [],
    warnings: [],
    report: () => [],
  }
}

/** Folder of the compiled good plugins. */
export const goodPlugins = fileURLToPath(new URL('./plugins/good', import.meta.url))
/** Their sources, where fixtures and README lie. */
export const goodSources = join(packageRoot(), 'test/support/plugins/good')

/** Loads plugins with everything a test does not name set to nothing: no configuration, no programs, no third parties. */
export async function load(
  options: Partial<Omit<LoadOptions, 'config'>> & { config?: FakeConfig; lines?: LogLine[] } = {},
): Promise<Registry> {
  const { config, lines, ...rest } = options
  return await loadPlugins({
    config: fakeConfig(config),
    programs: () => undefined,
    firstParty: goodPlugins,
    sourceFolder: null,
    thirdParty: [],
    clock: systemClock,
    log: logInto(lines ?? []),
    // Kept from run to run: it names what it holds by its text.
    cacheFolder: join(packageRoot(), '.build', 'test-cache'),
    lockFile: null,
    ...rest,
  })
}

/** A folder for one test, with plugins written as text. */
export class PluginFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<PluginFolder> {
    return new PluginFolder(await mkdtemp(join(tmpdir(), 'capstan-plugins-')))
  }

  /** Writes files below a plugin's folder; `@sdk` in them becomes the address of the sdk, for plugins that count as bundled. */
  async write(plugin: string, files: Readonly<Record<string, string>>): Promise<string> {
    const sdk = new URL('../../core/sdk/index.js', import.meta.url).href
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, plugin, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text.replaceAll('@sdk', sdk))
    }
    return join(this.path, plugin)
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}
