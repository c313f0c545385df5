import { statfs } from 'node:fs/promises'
import type { Clock } from '../runtime/clock.js'

const TICK_MS = 20
/** Far below its limit an amount is measured at each fifth tick only. */
const SLOW_TICKS = 5

/**
 * Measures every 100 ms, from a half of the limit on every 20 ms, and calls back once when the limit is passed in two measurements, one
 * right behind the other: processes are read one after the other, so that a page which more of them map meanwhile is counted too often.
 * `measure` answers null when there is nothing to count any more.
 */
export function watch(clock: Clock, measure: () => Promise<number | null>, limit: number, onOver: () => void): () => void {
  let busy = false
  let skip = 0
  const passed = (amount: number | null): amount is number => amount !== null && amount > limit
  const stop = clock.every(TICK_MS, () => {
    skip -= 1
    if (busy || skip > 0) return
    busy = true
    void measure()
      .then(async (amount) => (passed(amount) ? await measure() : amount))
      // The job may end while it is measured; what cannot be read for the moment is measured again.
      .catch(() => null)
      .then((amount) => {
        busy = false
        skip = amount === null || amount <= limit / 2 ? SLOW_TICKS : 0
        if (!passed(amount)) return
        stop()
        onOver()
      })
  })
  return stop
}

/** Files in the writable places of a job, seen through its first process (proc(5): root). A tmpfs bounds bytes, not empty files. */
export async function filesOf(root: number): Promise<number | null> {
  if (root === 0) return null
  const places = await Promise.all(['/job', '/dev/shm'].map((place) => statfs(`/proc/${root}/root${place}`)))
  return places.reduce((sum, { files, ffree }) => sum + files - ffree, 0)
}
