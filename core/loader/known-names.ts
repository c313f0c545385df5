import type { KnownNames } from '../config/types.js'
import type { Registry } from './types.js'
import { programsOf } from '../sdk/index.js'

/** The names that may be configured, from the loaded plugins. */
export function knownNames({
  vendors,
  contributions,
  ports,
  capabilities,
  plugins,
}: Pick<Registry, 'vendors' | 'contributions' | 'ports' | 'capabilities' | 'plugins'>): KnownNames {
  return {
    vendors,
    plugins: contributions,
    ports: [...ports.keys()],
    prices: new Map([...capabilities].map(([id, { capability }]) => [id, capability.price.table])),
    serving: new Map([...ports].map(([id, { all }]) => [id, all.map(({ vendor }) => vendor.id)])),
    programs: [...new Set(['bwrap', ...vendors.flatMap((vendor) => Object.keys(programsOf(vendor)))])],
    incomplete: plugins.some(({ state }) => state === 'set-aside'),
  }
}
