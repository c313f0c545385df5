import type { Collections } from './collections.js'
import { type Filter, nullOrAtMost, op } from './filter.js'

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

/** Number of slots that accounts are divided into. Never change it: the slot is stored with unpublished accounts. */
export const SLOTS = 256

/** FNV-1a over UTF-16 units with a final mix, so that similar ids spread. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The slot of an account, 0 to 255. */
export function slotOf(account: string): number {
  return hashOf(account) % SLOTS
}

/** Which live gateway publishes a slot, by rendezvous hashing: one that joins or leaves moves only its share. */
export class SlotOwners {
  readonly #owners: readonly string[]

  constructor(instances: readonly string[]) {
    const all = [...new Set(instances)].sort()
    const ownerOf = (slot: number): string => {
      const weighed = all.map((instance) => ({ instance, weight: hashOf(`${slot} ${instance}`) }))
      return weighed.reduce((best, one) => (one.weight > best.weight ? one : best), { instance: '', weight: -1 }).instance
    }
    this.#owners = Array.from({ length: SLOTS }, (_, slot) => ownerOf(slot))
  }

  /** Slots of an instance, ascending. */
  of(instance: string): number[] {
    return this.#owners.flatMap((owner, slot) => (owner === instance ? [slot] : []))
  }

  /** True when the instance publishes this account. */
  has(instance: string, account: string): boolean {
    return this.#owners[slotOf(account)] === instance
  }
}
