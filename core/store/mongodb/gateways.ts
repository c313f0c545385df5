import type { Collections } from './collections.js'
import { nullOrAtMost, op, type Filter } from './filter.js'

/** Matches documents of gateways, not those of named leases. */
const GATEWAY: Filter = { own: op({ $exists: false }) }

/** Instances whose lease has not expired, in order of their names. */
export async function gatewaysAlive({ gateways }: Pick<Collections, 'gateways'>, now: number): Promise<string[]> {
  const found = await gateways.many({ ...GATEWAY, expires: op({ $gt: now }) }, { _id: 1 }, { sort: { _id: 1 } })
  return found.map((gateway) => gateway._id)
}

/** Instances whose lease expired with work left, in order of their names. */
export async function gatewaysDead({ gateways }: Pick<Collections, 'gateways'>, now: number): Promise<string[]> {
  const found = await gateways.many({ ...GATEWAY, expires: op({ $lte: now }) }, { _id: 1 }, { sort: { _id: 1 } })
  return found.map((gateway) => gateway._id)
}

/**
 * Records that charges of these instances were found after their lease expired: such a gateway was, or is about to be,
 * considered dead and continued. One that was ended counts as dead again, so that a sweep settles its charges.
 */
export async function noteLate({ gateways }: Pick<Collections, 'gateways'>, owners: readonly string[], now: number): Promise<void> {
  if (owners.length === 0) return
  // Almost always none. A sweep of one whose lease expires after this read will find the charges.
  const late = await gateways.many({ _id: op({ $in: owners }), expires: nullOrAtMost(now) }, { _id: 1 })
  if (late.length === 0) return
  const ids = op({ $in: late.map(({ _id }) => _id) })
  await gateways.bulk([
    { filter: { _id: ids, expires: op({ $lte: now }) }, update: { $inc: { late: 1 } }, many: true },
    { filter: { _id: ids, ended: true }, update: { $set: { expires: now }, $unset: { ended: 1 }, $inc: { late: 1 } }, many: true },
  ])
}
