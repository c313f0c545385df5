import type { Clock } from '../runtime/clock.js'
import type { GroupProcessors } from './group-processors.js'

/** Parts of one processor, over about a second, from which on a group goes to the background, and below which it comes back. */
const MUCH = 0.5
const LITTLE = 0.1
const TICK_MS = 250
/** A group that does nothing is looked at less and less often, down to this; one that begins in the background is there again by then. */
const LONGEST_MS = { usual: 1_000, background: 4_000 }
/** How much the latest quarter of a second counts against all before. */
const LATEST = 0.25

export interface PriorityOptions {
  readonly begins: 'usual' | 'background'
  /** The group was watched before: what it used then is not told, and whether it is in the background not known. */
  readonly anew?: boolean
  /** Told of each amount of processor time that the group has used, in milliseconds. */
  readonly onUsed: (ms: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Puts a group into the background while it uses much of a processor, so that no job of one caller keeps the gateway and the short jobs of
 * others waiting for theirs. One that gets too little there comes back by itself, so it never stands still. The returned function ends it,
 * with a last look.
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
  /** Processor time used since the last look, and the milliseconds since then. */
  const look = async (): Promise<{ used: number; elapsed: number } | null> => {
    const used = await processors.usedMs()
    if (used === null) return null
    const at = clock.monotonic()
    const since = { used: Math.max(0, used - before.used), elapsed: at - before.at }
    before = { at, used }
    onUsed(since.used)
    return since
  }
  const tick = async (): Promise<void> => {
    const since = await look()
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
    await look().catch(onError)
  }
}
