import type { Renderer } from './usage.js'

const TICK_MS = 250
/** Processor time a page's process may use without restriction, in milliseconds. */
const FREE_MS = 1_000
/** From here on it is throttled more. */
const MUCH_MS = 5_000
/** Ticks paused after each tick in which it ran. */
const SOME_TICKS = 3
const MANY_TICKS = 9
/** Share of a tick from which a process counts as busy. */
const BUSY = 0.4

interface Paced {
  /** True while pages of several accounts are open at the same time. */
  readonly crowded: () => boolean
  readonly renderers: () => Promise<readonly Renderer[]>
  readonly signal: (renderer: Renderer, signal: 'SIGSTOP' | 'SIGCONT') => void
  /** Settles when the browser has ended. */
  readonly gone: Promise<unknown>
}

interface Seen {
  readonly renderer: Renderer
  readonly ticks: number
}

/**
 * Throttles page processes that have used much processor time and use more, while pages of other accounts are open in
 * the same browser: they run in one of four, later of ten quarters of a second. Their load on shared processes falls
 * accordingly, so other pages are not delayed. Ends with the browser.
 */
export async function paceRenderers({ crowded, renderers, signal, gone }: Paced): Promise<void> {
  let over = false
  const end = gone.then(() => (over = true))
  const seen = new Map<number, Seen>()
  while (!over) {
    await Promise.race([after(TICK_MS), end])
    if (over || (!crowded() && seen.size === 0)) continue
    const found = await renderers()
    const alone = !crowded()
    const before = new Map(seen)
    seen.clear()
    for (const renderer of found) {
      const last = before.get(renderer.pid)
      const known = last?.renderer.birth === renderer.birth ? last : null
      const ticks = held(renderer, known, alone)
      if (ticks > 0 && (known?.ticks ?? 0) === 0) signal(renderer, 'SIGSTOP')
      if (ticks === 0 && (known?.ticks ?? 0) > 0) signal(renderer, 'SIGCONT')
      if (!alone) seen.set(renderer.pid, { renderer, ticks })
    }
  }
}

/** For how many more ticks a process is paused. */
function held({ gotMs }: Renderer, known: Seen | null, alone: boolean): number {
  if (alone || known === null) return 0
  if (known.ticks > 0) return known.ticks - 1
  if (gotMs < FREE_MS || gotMs - known.renderer.gotMs < BUSY * TICK_MS) return 0
  return gotMs < MUCH_MS ? SOME_TICKS : MANY_TICKS
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
