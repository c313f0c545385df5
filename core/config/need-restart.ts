import { isDeepStrictEqual } from 'node:util'
import { definitionList } from '../../config/default.js'
import type { Config } from './types.js'

/** Settings of the core that a reload applies, as it does all settings of plugins and vendors, prices and orders. */
const RELOADED: ReadonlySet<string> = new Set(['plugins', 'limits.plugin_load'])

/** Settings that differ between `start` and `now` and require a restart; `programs`: those that plugins use. */
export function needRestart(start: Config, now: Config, programs: readonly string[]): string[] {
  const core = definitionList.map(({ name }) => name).filter((name) => !RELOADED.has(name))
  return [
    ...core.filter((name) => !isDeepStrictEqual(valueOf(start.settings, name), valueOf(now.settings, name))),
    ...programs.filter((name) => start.program(name) !== now.program(name)).map((name) => `programs.${name}`),
  ]
}

function valueOf(settings: unknown, name: string): unknown {
  return name.split('.').reduce<unknown>((value, part) => {
    const entries: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return entries.find(([key]) => key === part)?.[1]
  }, settings)
}
