import type { SpokenWord } from '../transcription/contract.js'
import { breakCosts } from './breaks.js'
import { type Token, tokensOf } from './tokens.js'

/** One subtitle. Times are milliseconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  /** One or two. */
  readonly lines: readonly string[]
}

const MOST_CHARACTERS = 42
/** Milliseconds on screen: at least 5/6 s, at most 7 s, and per character at 20 a second. */
const LEAST_MS = 834
const MOST_MS = 7_000
const CHARACTER_MS = 50
/** Two frames at 25 per second. */
const GAP_MS = 80

const DASH = '- '
/** No subtitle spans a longer pause. */
const LONGEST_PAUSE_MS = 1_500
/** Cost of each subtitle, and of a sentence end or a pause within one. */
const EACH = 5
const ENDED = 9
const PAUSED = 15
const LONG_PAUSE_MS = 700
/** Cost of a subtitle that is too short for its text, and of each missing millisecond. */
const HURRIED = 300
const HURRIED_MS = 0.5
/** Cost of a subtitle that would not be on screen at all. */
const UNSEEN = 1_000_000
const LEAST_SEEN_MS = 200

interface Layout {
  readonly cost: number
  /** The first piece of the second line; the end of the subtitle when there is one line. */
  readonly second: number
}

/** Pieces of text of a subtitle. */
interface Span {
  readonly from: number
  readonly second: number
  readonly to: number
}

/**
 * The words of a recording as subtitles, in order of time. `duration` in seconds. `hurried` is the number that is on
 * screen for too short a time, because the speech is too fast.
 */
export function cuesOf(
  words: readonly SpokenWord[],
  { language, duration }: { readonly language: string | null; readonly duration: number },
): { readonly cues: Cue[]; readonly hurried: number } {
  const tokens = tokensOf(words, language)
  const plan = new Plan(tokens, breakCosts(tokens, language), Math.round(duration * 1_000))
  const cues: Cue[] = []
  let hurried = 0
  for (const span of plan.best()) {
    const { from, to } = span
    const lines = plan.lines(span)
    const needed = Math.max(LEAST_MS, lines.reduce((sum, line) => sum + line.length, 0) * CHARACTER_MS)
    const before = cues.at(-1)
    const start = Math.max(tokens[from]?.start ?? 0, before === undefined ? 0 : before.end + GAP_MS)
    const latest = Math.max(plan.latestEnd(from, to), start + 1)
    const end = Math.min(latest, Math.max(tokens[to - 1]?.end ?? 0, start + needed))
    if (end - start < needed - 1) hurried++
    cues.push({ start, end, lines })
  }
  return { cues, hurried }
}

/** The division of pieces of text into subtitles with the lowest cost. */
class Plan {
  readonly #tokens: readonly Token[]
  readonly #breaks: Float64Array
  readonly #durationMs: number
  /** Characters before each piece, including spaces. */
  readonly #widths: Float64Array
  /** Cumulative cost of having the position before each piece inside a subtitle. */
  readonly #within: Float64Array
  /** For each piece, the first later one with another speaker. */
  readonly #turns: Int32Array

  constructor(tokens: readonly Token[], breaks: Float64Array, durationMs: number) {
    this.#tokens = tokens
    this.#breaks = breaks
    this.#durationMs = durationMs
    this.#widths = new Float64Array(tokens.length + 1)
    tokens.forEach(({ width, spaced }, at) => {
      this.#widths[at + 1] = (this.#widths[at] ?? 0) + width + (spaced ? 1 : 0)
    })
    this.#within = new Float64Array(tokens.length + 1)
    tokens.forEach((token, at) => {
      const paused = token.start - (tokens[at - 1]?.end ?? token.start) > LONG_PAUSE_MS ? PAUSED : 0
      const ended = at > 0 && (breaks[at - 1] ?? 0) === 0 ? ENDED : 0
      this.#within[at + 1] = (this.#within[at] ?? 0) + Math.max(paused, ended)
    })
    this.#turns = new Int32Array(tokens.length + 1).fill(tokens.length)
    for (let at = tokens.length - 1; at > 0; at--) this.#turns[at - 1] = this.#isTurn(at) ? at : (this.#turns[at] ?? tokens.length)
  }

  best(): Span[] {
    const count = this.#tokens.length
    const costs = new Float64Array(count + 1).fill(Infinity)
    const begins = new Int32Array(count + 1)
    const seconds = new Int32Array(count + 1)
    costs[0] = 0
    for (let from = 0; from < count; from++) {
      const base = costs[from] ?? Infinity
      for (let to = from + 1; to <= count && this.#mayHold(from, to); to++) {
        const layout = this.#layout(from, to)
        if (layout === null) continue
        const cost = base + layout.cost + this.#costOf(from, to)
        if (cost >= (costs[to] ?? Infinity)) continue
        costs[to] = cost
        begins[to] = from
        seconds[to] = layout.second
      }
    }
    const found = []
    for (let to = count; to > 0; to = begins[to] ?? 0) found.push({ from: begins[to] ?? 0, second: seconds[to] ?? to, to })
    return found.reverse()
  }

  lines({ from, second, to }: Span): string[] {
    const turned = second < to && this.#isTurn(second)
    const upper = `${turned || this.#isTurn(from) ? DASH : ''}${this.#text(from, second)}`
    return second === to ? [upper] : [upper, `${turned ? DASH : ''}${this.#text(second, to)}`]
  }

  /** Latest end of a subtitle, by the next one or the end of the recording. */
  latestEnd(from: number, to: number): number {
    const start = this.#start(from)
    const next = this.#tokens[to]?.start
    return next === undefined
      ? Math.min(start + MOST_MS, Math.max(this.#durationMs, start + LEAST_MS))
      : Math.min(start + MOST_MS, next - GAP_MS)
  }

  /** A subtitle has at least one piece; more are not joined across a long pause or beyond seven seconds. */
  #mayHold(from: number, to: number): boolean {
    if (to - from === 1) return true
    const [last, before] = [this.#tokens[to - 1], this.#tokens[to - 2]]
    if (last === undefined || before === undefined) return false
    return (
      last.end - this.#start(from) <= MOST_MS &&
      last.start - before.end < LONGEST_PAUSE_MS &&
      this.#width(from, to) <= 2 * MOST_CHARACTERS + 1
    )
  }

  #costOf(from: number, to: number): number {
    const time = this.latestEnd(from, to) - this.#start(from)
    const needed = Math.max(LEAST_MS, (this.#width(from, to) + 2 * DASH.length) * CHARACTER_MS)
    let cost = EACH + (to === this.#tokens.length ? 0 : (this.#breaks[to - 1] ?? 0))
    if (time < needed) cost += HURRIED + (needed - time) * HURRIED_MS
    if (time < LEAST_SEEN_MS) cost += UNSEEN
    return cost + (this.#within[to] ?? 0) - (this.#within[from + 1] ?? 0)
  }

  /**
   * One line if it fits, else two, split at the best position; two speakers have a line each, and more are not in one
   * subtitle. Null when it does not fit.
   */
  #layout(from: number, to: number): Layout | null {
    const turn = this.#turns[from] ?? to
    if (turn < to) {
      const widest = Math.max(this.#width(from, turn), this.#width(turn, to)) + DASH.length
      return (this.#turns[turn] ?? to) >= to && widest <= MOST_CHARACTERS ? { cost: 4, second: turn } : null
    }
    const room = MOST_CHARACTERS - (this.#isTurn(from) ? DASH.length : 0)
    if (this.#width(from, to) <= room) return { cost: 0, second: to }
    let best: Layout | null = null
    for (let second = from + 1; second < to; second++) {
      const upper = this.#width(from, second)
      const lower = this.#width(second, to)
      if (upper > room) break
      if (lower > MOST_CHARACTERS) continue
      const cost = (this.#breaks[second - 1] ?? 0) + (20 * Math.abs(upper - lower)) / (upper + lower)
      if (best === null || cost < best.cost) best = { cost, second }
    }
    return best
  }

  #isTurn(at: number): boolean {
    return at > 0 && this.#tokens[at]?.speaker !== this.#tokens[at - 1]?.speaker
  }

  #text(from: number, to: number): string {
    let text = ''
    for (let at = from; at < to; at++) {
      const token = this.#tokens[at]
      if (token !== undefined) text += `${token.spaced && at > from ? ' ' : ''}${token.text}`
    }
    return text
  }

  #start(at: number): number {
    return this.#tokens[at]?.start ?? 0
  }

  #width(from: number, to: number): number {
    return (this.#widths[to] ?? 0) - (this.#widths[from] ?? 0) - (this.#tokens[from]?.spaced === true ? 1 : 0)
  }
}
