import { journal, type World } from './world.js'

const isCall = (entry: { kind: string }) => entry.kind === 'charge' || entry.kind === 'release'

/** Net charge of some references: charges less their refunds. */
function net(world: World, refs: (ref: string) => boolean): number {
  return journal(world)
    .filter((entry) => (entry.kind === 'charge' && refs(entry.ref)) || (entry.kind === 'refund' && refs(entry.ref.slice('rf:'.length))))
    .reduce((sum, entry) => sum - entry.amount, 0)
}

const keyedRefs = (world: World) => {
  const ids = world.procs.filter((self) => self.keyed).map((self) => `h${self.id}`)
  return (ref: string) => ref === 'late' || ids.includes(ref)
}

/** The invariants of ledger.md 2.10 that must hold in every state; the name of the one that does not. */
export function violated(world: World, money: number): string | null {
  const all = journal(world)
  const held = Object.keys(world.holds)
  if (world.bal - held.length < 0) return 'L2: less than nothing is available'
  if (world.bal !== money + all.reduce((sum, entry) => sum + entry.amount, 0)) return 'L3: the balance is not the sum of the entries'
  const resolved = all.filter(isCall).map((entry) => entry.ref)
  if (new Set(resolved).size !== resolved.length) return 'L5: a hold was resolved twice'
  if (held.some((hold) => resolved.includes(hold))) return 'L5: a hold id was used again'
  if (all.filter((entry) => entry.kind === 'grant').length > 1) return 'L6: a grant was credited twice'
  if (net(world, keyedRefs(world)) > 1) return 'L6: one Idempotency-Key was charged twice'
  return chain(world, money) ?? rollup(world)
}

function chain(world: World, money: number): string | null {
  const sorted = world.entries.toSorted((a, b) => a.seq - b.seq)
  for (const [index, entry] of sorted.entries()) {
    const before = sorted[index - 1]
    const after = entry.seq === 1 ? money : before?.seq === entry.seq - 1 ? before.after : null
    if (after !== null && entry.after !== after + entry.amount) return 'L4: the balance after an entry does not follow'
    if (before?.seq === entry.seq || entry.seq > world.seq) return 'L4: a sequence number is used twice or too high'
  }
  return null
}

function rollup(world: World): string | null {
  const applied = world.entries.filter((entry) => entry.seq <= world.roll.applied && isCall(entry)).length
  return applied === world.roll.calls ? null : 'L10: the rollup is not the sum of its entries'
}

/** What must be true when nobody has anything left to do. */
export function unfinished(world: World): string | null {
  if (Object.keys(world.holds).length > 0) return 'L1: a hold is left'
  if (world.procs.some((self) => self.program === 'publisher') && world.out.length > 0) return 'L10: an entry is left unpublished'
  for (const self of world.procs) {
    if (self.program !== 'request') continue
    const mine = self.keyed ? keyedRefs(world) : (ref: string) => ref.replaceAll(`'`, '') === `h${self.id}`
    const charged = net(world, mine)
    if (self.saw === 'ok' && charged !== 1 && !(charged === 0 && self.pc === 'dead')) return `L8: an answer was seen and ${charged} charged`
    if (!self.keyed && self.saw !== 'ok' && charged !== 0) return `L7: no answer was seen and ${charged} charged`
  }
  return null
}
