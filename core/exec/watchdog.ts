import { statfs } from 'node:fs/promises'
import type { Clock } from '../runtime/clock.js'

const TICK_MS = 20
/** Far below the limit only every fifth tick measures. */
const SLOW_TICKS = 5

/**
 * Measures every 100 ms, from half of the limit every 20 ms, and calls back once when two consecutive measurements exceed the limit:
 * processes are read one after the other, so a page that more of them map meanwhile is counted too often. `measure` returns null when
 * there is nothing left to count.
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
      // The job may end while it is measured; a failed measurement is repeated.
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

/** Number of files in the writable folders of a job, read through its first process (proc(5): root). A tmpfs limits bytes, not empty files. */
export async function filesOf(root: number): Promise<number | null> {
  if (root === 0) return null
  const places = await Promise.all(['/job', '/dev/shm'].map((place) => statfs(`/proc/${root}/root${place}`)))
  return places.reduce((sum, { files, ffree }) => sum + files - ffree, 0)
}
