import type { Collections } from './collections.js'
import { op, type Filter } from './filter.js'

/** The documents of gateways, without those of named leases. */
export const GATEWAY: Filter = { own: op({ $exists: false }) }

/** Instances of this version whose lease has not run out. */
export async function gatewaysAlive({ gateways }: Pick<Collections, 'gateways'>, now: number): Promise<string[]> {
  const found = await gateways.many({ ...GATEWAY, expires: op({ $gt: now }) }, { _id: 1 }, { sort: { _id: 1 } })
  return found.map((gateway) => gateway._id)
}

/** Instances of this version whose lease ran out with work left. */
export async function gatewaysDead({ gateways }: Pick<Collections, 'gateways'>, now: number): Promise<string[]> {
  const found = await gateways.many({ ...GATEWAY, expires: op({ $lte: now }) }, { _id: 1 }, { sort: { _id: 1 } })
  return found.map((gateway) => gateway._id)
}
