import { realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { PluginReport } from '../../../core/loader/types.js'

/** Folders of plugins that are always loaded. */
interface LoadedFolders {
  /** Sources of the bundled plugins, and their compiled code. */
  readonly bundled: { readonly source: string; readonly code: string }
  /** The operator's folders: each a plugin, or a folder of plugins. */
  readonly configured: readonly string[]
}

/** The plugins in some folders. */
interface PluginsToTest {
  /** Folders to load in addition to those that are always loaded. */
  readonly further: readonly string[]
  readonly includes: (plugin: PluginPlace) => boolean
  /** The folders, as given, that contain none of the loaded plugins. */
  readonly without: (plugins: readonly PluginPlace[]) => readonly string[]
}

type PluginPlace = Pick<PluginReport, 'folder' | 'party'>

/**
 * Finds the plugins in folders, each a plugin or a folder of plugins, given by any path: a plugin that is always loaded, such as a bundled
 * one, must not be loaded twice. No folders mean all plugins.
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

/** The real path of a folder; one that does not exist is returned as given. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return folder
    throw error
  }
}
