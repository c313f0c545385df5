import type { LoadedPort, Registry } from './types.js'

/** Vendors of a port that the order in force never asks. */
export interface LeftOut {
  readonly port: string
  readonly vendors: readonly string[]
}

/** Vendors of one port that would be asked, were it not for its order; those that only serve when they are named are not in it. */
export function leftOutOf({ all, providers }: Pick<LoadedPort, 'all' | 'providers'>): string[] {
  const asked = new Set(providers.map(({ vendor }) => vendor.id))
  return all.filter(({ vendor, optedOut }) => !optedOut && !asked.has(vendor.id)).map(({ vendor }) => vendor.id)
}

/** What the orders in force leave out, by port. */
export function leftOut({ ports }: Pick<Registry, 'ports'>): LeftOut[] {
  return [...ports].flatMap(([port, loaded]) => {
    const vendors = leftOutOf(loaded)
    return vendors.length === 0 ? [] : [{ port, vendors }]
  })
}
