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
