import type { LoadedPort, Registry } from './types.js'

/** Vendors of a port that the current order leaves out. */
export interface LeftOut {
  readonly port: string
  readonly vendors: readonly string[]
}

/** Vendors of one port that its order leaves out, without opt-in vendors. */
export function leftOutOf({ all, providers }: Pick<LoadedPort, 'all' | 'providers'>): string[] {
  const inOrder = new Set(providers.map(({ vendor }) => vendor.id))
  return all.filter(({ vendor, optedOut }) => !optedOut && !inOrder.has(vendor.id)).map(({ vendor }) => vendor.id)
}

/** Vendors that the current orders leave out, by port. */
export function leftOut({ ports }: Pick<Registry, 'ports'>): LeftOut[] {
  return [...ports].flatMap(([port, loaded]) => {
    const vendors = leftOutOf(loaded)
    return vendors.length === 0 ? [] : [{ port, vendors }]
  })
}
