import { definitionList } from '../../config/default.js'
import type { LocatedEntry, LocatedMap, Located } from './located.js'
import { hint } from '../sdk/nearest.js'
import type { ConfigProblem } from '../problems/errors.js'

/** The groups whose names come from plugins: their content is checked once plugins are loaded. */
export const OPEN_GROUPS = ['waterfall', 'prices', 'programs', 'vendors', 'plugins'] as const
export type OpenGroup = (typeof OPEN_GROUPS)[number]

/** The file's content, split into the core's settings and the open groups. */
interface Layout {
  readonly core: ReadonlyMap<string, Located>
  readonly open: Readonly<Record<OpenGroup, ReadonlyMap<string, LocatedEntry>>>
  readonly problems: readonly ConfigProblem[]
}

const NAMES = definitionList.map(({ name }) => name)
const GROUPS = new Set(NAMES.flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])))

/** Splits the settings of a file; unknown names are problems with a suggestion. */
export function layOut(root: LocatedMap): Layout {
  const core = new Map<string, Located>()
  const problems: ConfigProblem[] = []
  const open = {
    waterfall: new Map<string, LocatedEntry>(),
    prices: new Map<string, LocatedEntry>(),
    programs: new Map<string, LocatedEntry>(),
    vendors: new Map<string, LocatedEntry>(),
    plugins: new Map<string, LocatedEntry>(),
  }

  const put = (prefix: string, entries: ReadonlyMap<string, LocatedEntry>): void => {
    for (const [key, { where, value }] of entries) {
      const name = prefix === '' ? key : `${prefix}.${key}`
      const group = prefix === '' ? OPEN_GROUPS.find((each) => each === key) : undefined
      if (group !== undefined && (value.kind === 'map' || group !== 'plugins')) openGroup(group, where, value)
      else if (NAMES.includes(name)) core.set(name, value)
      else if (prefix === '' && GROUPS.has(name) && value.kind === 'map') put(name, value.entries)
      else if (prefix === '' && GROUPS.has(name) && value.kind === 'nothing') continue
      else if (prefix === '' && GROUPS.has(name)) problems.push({ where, message: `${name} must be a group of settings`, level: 'error' })
      else problems.push({ where, message: `unknown setting ${name}${elsewhere(key) ?? hint(name, candidates(prefix))}`, level: 'error' })
    }
  }
  const openGroup = (group: OpenGroup, where: string, value: Located): void => {
    if (value.kind === 'nothing') return
    if (value.kind !== 'map') {
      problems.push({ where, message: `${group} must be a group of settings`, level: 'error' })
      return
    }
    for (const [key, entry] of group === 'waterfall' ? joined(value) : value.entries) {
      if (group === 'plugins' && key === 'folders') core.set('plugins', entry.value)
      else open[group].set(key, entry)
    }
  }
  put('', root.entries)
  return { core, open, problems }
}

/** `search: {serp: …}` and `search.serp: …` are the same. */
function* joined(map: LocatedMap, prefix = ''): Generator<[string, LocatedEntry]> {
  for (const [key, entry] of map.entries) {
    if (entry.value.kind === 'map') yield* joined(entry.value, `${prefix}${key}.`)
    else yield [`${prefix}${key}`, entry]
  }
}

/** The one setting that has this name in another group. */
function elsewhere(key: string): string | null {
  const same = NAMES.filter((name) => name.endsWith(`.${key}`))
  return same.length === 1 ? `; did you mean ${same[0] ?? ''}?` : null
}

function candidates(prefix: string): string[] {
  const below = NAMES.filter((name) => name.startsWith(`${prefix}.`))
  return prefix !== '' && below.length > 0 ? below : [...NAMES, ...GROUPS, ...OPEN_GROUPS]
}
