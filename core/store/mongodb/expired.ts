import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { IdempotencyDocument } from './documents.js'
import { storage } from './storage.js'

/** Records removed by one command. */
const BATCH = 500

/** Longest time a sweep removes expired records, in ms; the next one continues. */
const BUDGET_MS = 2000

/** Removes expired idempotency records; running ones only once their lock has expired. */
export function expired(deps: Pick<MongoDeps, 'tables' | 'clock'>) {
  const { idempotency } = deps.tables
  const room = storage(deps)

  /** Subtracts the bytes of the records when all were removed here; recounts when another sweep removed some. */
  const releaseRoom = async (found: readonly IdempotencyDocument[], removed: number, now: number): Promise<void> => {
    const bytes = new Map<string, number>()
    for (const one of found) if (one.bytes > 0) bytes.set(one.acct, (bytes.get(one.acct) ?? 0) + one.bytes)
    if (removed === found.length) await room.countAll(bytes)
    else if (removed > 0) for (const account of bytes.keys()) await room.recount({ account, now })
  }

  const removeSome = async (now: number): Promise<{ found: number; removed: number }> => {
    const over = { expires: op({ $lte: now }) }
    const found = await idempotency.many(over, { acct: 1, st: 1, lock: 1, bytes: 1 }, { sort: { expires: 1 }, limit: BATCH })
    const gone = found.filter(({ st, lock }) => st !== 'running' || lock <= now)
    const ids = (running: boolean) => op({ $in: gone.filter(({ st }) => (st === 'running') === running).map(({ _id }) => _id) })
    let removed = 0
    if (gone.some(({ st }) => st !== 'running'))
      removed += await idempotency.remove({ _id: ids(false), ...over, st: op({ $in: ['ready', 'final'] }) })
    if (gone.some(({ st }) => st === 'running'))
      removed += await idempotency.remove({ _id: ids(true), ...over, st: 'running', lock: op({ $lte: now }) })
    await releaseRoom(gone, removed, now)
    return { found: found.length, removed }
  }

  return {
    forget: async (now: number): Promise<number> => {
      const until = deps.clock.monotonic() + BUDGET_MS
      let sum = 0
      for (;;) {
        const { found, removed } = await removeSome(now)
        sum += removed
        if (found < BATCH || removed === 0 || deps.clock.monotonic() > until) return sum
      }
    },
  }
}
