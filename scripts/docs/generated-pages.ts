import type { LoadedCapability, Registry } from '../../core/loader/types.js'
import { capabilityPage, pageOf, priceRange } from './capability-page.js'
import { errorsList } from './errors-page.js'
import { withMarked } from './marked.js'
import { settingsTable } from './settings-table.js'
import { table } from './table.js'

/** Folder of the pages of capabilities. */
export const CAPABILITY_PAGES = 'docs/capabilities'

/**
 * Every page that is made from the code, or has a part that is, by its path below the root. `read` gives the present text of a
 * page that has such a part between marks.
 */
export function generatedPages(registry: Registry, read: (path: string) => string): ReadonlyMap<string, string> {
  const capabilities = [...registry.capabilities.values()].sort((one, other) => (one.capability.id < other.capability.id ? -1 : 1))
  const own = capabilities.map((loaded): [string, string] => [
    `${CAPABILITY_PAGES}/${pageOf(loaded.capability.id)}`,
    capabilityPage(loaded, registry),
  ])
  const part = (path: string, name: string, text: string): [string, string] => [path, withMarked(read(path), name, text)]
  return new Map([
    ...own,
    part('README.md', 'capabilities', capabilityTable(capabilities)),
    part('docs/errors.md', 'errors', errorsList()),
    part('docs/configuration.md', 'settings', settingsTable()),
  ])
}

/** The capabilities with links to their pages. Ids are not written as code: a row has to fit a terminal. */
function capabilityTable(capabilities: readonly LoadedCapability[]): string {
  const rows = capabilities.map(({ capability: { id, title }, prices }) => [
    `[${id}](${CAPABILITY_PAGES}/${pageOf(id)})`,
    title,
    priceRange(prices),
  ])
  return table(['capability', 'what it does', 'credits'], rows)
}
