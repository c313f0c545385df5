import type { Registry } from './types.js'

/** Vendors of a port that the order in force never asks. */
export interface LeftOut {
  readonly port: string
  readonly vendors: readonly string[]
}

/** What the orders in force leave out, by port; vendors that only serve when they are named are not in it. */
export function leftOut({ ports }: Pick<Registry, 'ports'>): LeftOut[] {
  return [...ports].flatMap(([port, { all, providers }]) => {
    const vendors = all.filter((provider) => !provider.optedOut && !providers.includes(provider)).map(({ vendor }) => vendor.id)
    return vendors.length === 0 ? [] : [{ port, vendors }]
  })
}
