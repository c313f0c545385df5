import type { Store } from '../../core/store/types.js'
import { Books, type LostRepliesReport } from './lost-replies-books.js'
import { SCENARIOS, type Scenario } from './lost-replies-scenarios.js'
import type { LossyLink, Strike } from './lost-replies-links.js'
import { LossyWorld } from './lost-replies-world.js'

export interface LostRepliesOrder {
  /** Closed at the end. */
  readonly link: LossyLink
  /** Messages to lose. */
  readonly count: number
  /** Chooses what is lost; the same seed makes the same choices. */
  readonly seed: number
  /** See LossyWorld. */
  readonly change?: (store: Store) => Store
  /** Called now and then with the number of lost messages. */
  readonly onProgress?: (lost: number) => void
}

/** Losses between two audits. */
const AUDIT_EVERY = 200

/**
 * Loses messages between a gateway and its ledger, one in each call or command, at any of the commands that it sends: before the command was
 * carried out, or after. Each scenario and each place takes its turn. What clients saw is compared with the ledger, request by request.
 */
export async function lostReplies({ link, count, seed, change, onProgress }: LostRepliesOrder): Promise<LostRepliesReport> {
  const world = await LossyWorld.open(link, change)
  try {
    const books = new Books(world)
    const random = randomOf(seed)
    let number = 0
    const run = async (name: string, scenario: Scenario, strike: Strike | null): Promise<number> => {
      const id = `${name}-${++number}`
      let sent = 0
      const lossy = async (work: () => Promise<unknown>) => {
        if (strike === null) sent = await world.commandsOf(work)
        else books.note(await world.lossy(strike, work))
      }
      await scenario({ world, books, id, lossy })
      return sent
    }
    const places = new Map<string, number>()
    for (const [name, scenario] of Object.entries(SCENARIOS)) places.set(name, await run(name, scenario, null))
    for (let audited = 0; books.report.lost < count;) {
      for (const [name, scenario] of Object.entries(SCENARIOS)) {
        const at = Math.floor(random() * (places.get(name) ?? 1))
        await run(name, scenario, { at, fault: faultOf(random()) })
      }
      onProgress?.(books.report.lost)
      if (books.report.lost - audited < AUDIT_EVERY && books.report.lost < count) continue
      audited = books.report.lost
      await books.settle()
    }
    return books.report
  } finally {
    await world.close()
  }
}

/** Mostly replies, some requests, and now and then a server that does not answer at all. */
function faultOf(chance: number): Strike['fault'] {
  if (chance < 0.01) return 'hang'
  return chance < 0.65 ? 'cut-reply' : 'cut-request'
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
