import { realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { PluginReport } from '../../../core/loader/types.js'

/** Where plugins lie that are loaded whether or not they are named. */
interface LoadedFolders {
  /** Sources of the bundled plugins, and what is compiled of them. */
  readonly bundled: { readonly source: string; readonly code: string }
  /** The operator's folders: each a plugin, or a folder of plugins. */
  readonly configured: readonly string[]
}

/** Which plugins some folders mean. */
interface PluginsToTest {
  /** Folders to load beside those that are loaded anyway. */
  readonly further: readonly string[]
  readonly includes: (plugin: PluginPlace) => boolean
  /** The folders, as they were named, in which none of the loaded plugins is. */
  readonly without: (plugins: readonly PluginPlace[]) => readonly string[]
}

type PluginPlace = Pick<PluginReport, 'folder' | 'party'>

/**
 * Finds what is meant by folders, each a plugin or a folder of plugins, by whatever path it is named: a plugin that is loaded anyway, such as a
 * bundled one, must not be loaded a second time. No folders mean all plugins.
 */
export async function pluginsToTest(folders: readonly string[], { bundled, configured }: LoadedFolders): Promise<PluginsToTest> {
  const [source, code] = [await realFolder(bundled.source), await realFolder(bundled.code)]
  const known = [source, code, ...(await Promise.all(configured.map(realFolder)))]
  const wanted = await Promise.all(folders.map(realFolder))
  const isKnown = (folder: string): boolean => known.includes(folder) || known.includes(dirname(folder))
  const places = ({ folder, party }: PluginPlace): string[] =>
    party === 'first' ? [join(source, basename(folder)), join(code, basename(folder))] : [folder]
  const isIn = (plugin: PluginPlace, folder: string): boolean =>
    places(plugin).some((place) => place === folder || place.startsWith(folder + sep))
  return {
    further: [...new Set(wanted)].filter((folder) => !isKnown(folder)),
    includes: (plugin) => wanted.length === 0 || wanted.some((folder) => isIn(plugin, folder)),
    without: (plugins) => folders.filter((_, at) => !plugins.some((plugin) => isIn(plugin, wanted[at] ?? ''))),
  }
}

/** The one path of a folder behind links; one that is not there as it was named. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return folder
    throw error
  }
}
