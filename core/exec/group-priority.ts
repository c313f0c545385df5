import type { Clock } from '../runtime/clock.js'
import type { GroupProcessors } from './group-processors.js'

/** Use in processors, over about a second: above `MUCH` a group goes to the background, below `LITTLE` it returns. */
const MUCH = 0.5
const LITTLE = 0.1
const TICK_MS = 250
/** Longest interval between measurements of an idle group, by its state; idle groups are measured less and less often. */
const LONGEST_MS = { usual: 1_000, background: 4_000 }
/** Weight of the latest quarter of a second against all before. */
const LATEST = 0.25

export interface PriorityOptions {
  readonly begins: 'usual' | 'background'
  /** The group was watched before: its earlier use is not reported, and whether it is in the background is unknown. */
  readonly anew?: boolean
  /** Called with the processor time that the group used since the last call, in milliseconds. */
  readonly onUsed: (ms: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Puts a group into the background while it uses much of a processor, so that a job of one caller does not delay the gateway and the
 * short jobs of others. A group that gets too little there returns by itself, so it never starves. The returned function ends the watch
 * with a last measurement.
 */
export function watchPriority(
  clock: Clock,
  processors: GroupProcessors,
  { begins, anew = false, onUsed, onError }: PriorityOptions,
): () => Promise<void> {
  let ended = false
  let waitMs = TICK_MS
  let low = begins === 'background'
  let rate = low ? MUCH : 0
  let before = { at: clock.monotonic(), used: 0 }
  /** Processor time used since the last measurement, and the milliseconds since then. */
  const measure = async (): Promise<{ used: number; elapsed: number } | null> => {
    const used = await processors.usedMs()
    if (used === null) return null
    const at = clock.monotonic()
    const since = { used: Math.max(0, used - before.used), elapsed: at - before.at }
    before = { at, used }
    onUsed(since.used)
    return since
  }
  const tick = async (): Promise<void> => {
    const since = await measure()
    if (since === null || ended) return
    const { used, elapsed } = since
    if (elapsed > 0) rate += (used / elapsed - rate) * (1 - (1 - LATEST) ** (elapsed / TICK_MS))
    waitMs = used > 0 ? TICK_MS : Math.min(waitMs * 2, LONGEST_MS[begins])
    const wanted = used === 0 && begins === 'background' ? true : rate > (low ? LITTLE : MUCH)
    if (wanted !== low) await processors.background((low = wanted))
    if (!ended) again()
  }
  const again = (): void => {
    stop = clock.after(waitMs, () => void tick().catch(onError))
  }
  let stop = (): void => undefined
  const begin = async (): Promise<void> => {
    const used = anew ? await processors.usedMs() : null
    if (used !== null) before = { at: clock.monotonic(), used }
    if (low || anew) await processors.background(low)
  }
  void begin().catch(onError)
  again()
  return async () => {
    ended = true
    stop()
    await measure().catch(onError)
  }
}
