import { basename, extname, join, relative, sep } from 'node:path'
import type { LoadedProvider, PluginReport } from '../../../../core/loader/types.js'
import { fixtureName } from './fixture.js'
import { exists, sourcesBelow } from './plugin-files.js'
import type { ConformanceCase } from './types.js'

/** A file of the folder `providers`, and the loaded providers that it exports. */
interface ProviderFile {
  /** Relative to the plugin. */
  readonly path: string
  readonly providers: readonly LoadedProvider[]
}

/**
 * One case for each provider file of a plugin: it exports a provider, is named after its vendor, and has a fixture for
 * each port that it serves. With a vendor, only for the files of that vendor.
 */
export async function providerFileCases(
  plugin: PluginReport,
  providers: readonly LoadedProvider[],
  vendor: string | undefined,
): Promise<ConformanceCase[]> {
  const files = await providerFiles(plugin, providers)
  const wanted = files.filter((file) => vendor === undefined || file.providers.some((each) => each.vendor.id === vendor))
  return wanted.map((file) => {
    const fixtures = file.providers.map((provider) => `fixtures/${fixtureName(provider)}.json`).sort()
    const by = fixtures.length === 0 ? 'a fixture' : fixtures.join(', ')
    return { plugin: plugin.name, name: `${file.path}: tested by ${by}`, skip: null, run: () => isTested(plugin, file, fixtures) }
  })
}

/** The files in the folder and those that were loaded, which in a package may be compiled ones elsewhere. */
async function providerFiles({ folder }: PluginReport, providers: readonly LoadedProvider[]): Promise<ProviderFile[]> {
  const paths = new Map<string, string>()
  for (const file of await sourcesBelow(join(folder, 'providers'))) {
    const path = relative(folder, file).split(sep).join('/')
    paths.set(stemOf(path), path)
  }
  for (const { file } of providers) if (!paths.has(stemOf(file))) paths.set(stemOf(file), file)
  return [...paths]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([stem, path]) => ({
      path,
      providers: providers.filter(({ file }) => stemOf(file) === stem),
    }))
}

function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length)
}

async function isTested({ folder }: PluginReport, { path, providers }: ProviderFile, fixtures: readonly string[]): Promise<void> {
  if (providers.length === 0) throw new Error('it exports no provider, so no fixture can test it; other code belongs outside the folder')
  const stem = basename(stemOf(path))
  const isNamed = providers.some(({ vendor: { id } }) => stem === id || stem.startsWith(`${id}-`) || stem.startsWith(`${id}.`))
  if (!isNamed) throw new Error('it provides nothing for a vendor of that name; a provider file is named <vendor> or <vendor>-<word>')
  const missing: string[] = []
  for (const fixture of fixtures) if (!(await exists(join(folder, fixture)))) missing.push(fixture)
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing; every provider needs a fixture`)
}
