import type { LiveProvider } from '../../core/sdk/index.js'
import type { convertVendors } from './contract.js'
import { anyMakes, type Engine } from './pairs/pairs.js'
import { ENGINES } from './pairs/table.js'
import type { Can } from './plan.js'

type Live = Pick<LiveProvider<(typeof convertVendors)['input']>, 'id' | 'serves'>

const NO_FILE = { id: '0'.repeat(32), size: 0 }

/** The one-step conversions of the live engines. An engine of another plugin has no table here and is tried. */
export function live(providers: readonly Live[]): Can {
  const tables = providers.map(({ id, serves }): Can => {
    const own = ENGINES.find(({ vendor }) => vendor === id)
    return own === undefined
      ? (from, to) => serves({ file: NO_FILE, from, to, name: `file.${from}` })
      : (from, to) => anyMakes([own], from, to)
  })
  return (from, to) => tables.some((can) => can(from, to))
}

/** The pairs of engines available now, in the order of the waterfall. */
export function livePairs(providers: readonly Pick<Live, 'id'>[]): Engine[] {
  return providers.flatMap(({ id }) => ENGINES.filter(({ vendor }) => vendor === id))
}

/** Whether any engine of this plugin converts the pair in one step, available or not. */
export function anyEngine(from: string, to: string): boolean {
  return anyMakes(ENGINES, from, to)
}
