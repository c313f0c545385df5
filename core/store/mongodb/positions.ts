import { recentlyUsed } from '../../runtime/recent.js'

/** A place in a list of calls, newest first: `above` calls of the list have a number of at least `seq`. */
export interface Position {
  readonly seq: number
  readonly above: number
}

interface Known {
  /** The list was counted up to this number; newer calls come on top. */
  readonly top: number
  readonly positions: readonly Position[]
}

/** Lists remembered, and positions of each. */
const MOST_LISTS = 1000
const MOST_POSITIONS = 8

/** Where recent pages of the call history began and ended, so that the next page needs no count from the top. */
export class Positions {
  readonly #lists = recentlyUsed<Known>(MOST_LISTS)

  /** Up to where the positions of a list were counted; null when none is known. */
  top(list: string): number | null {
    return this.#lists.get(list)?.top ?? null
  }

  /** The nearest position with at most `skip` calls above it, after `newer` calls came on top; null without one. */
  nearest(list: string, skip: number, newer: number): Position | null {
    const fitting = (this.#lists.get(list)?.positions ?? []).filter(({ above }) => above + newer <= skip)
    const best = fitting.reduce<Position | null>((nearest, one) => (nearest === null || one.above > nearest.above ? one : nearest), null)
    return best === null ? null : { seq: best.seq, above: best.above + newer }
  }

  /** Stores positions counted up to `top`. Those of another count are dropped. */
  note(list: string, top: number, positions: readonly Position[]): void {
    const known = this.#lists.get(list)
    const kept = known?.top === top ? known.positions : []
    this.#lists.set(list, { top, positions: [...positions, ...kept].slice(0, MOST_POSITIONS) })
  }
}
