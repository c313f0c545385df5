/** What a research of one depth may use at most. */
export interface Allowance {
  /** Questions to search engines and to the catalogues of papers. */
  readonly searches: number
  /** Attempts to read a page. */
  readonly scrapes: number
  /** People and companies that are looked up. */
  readonly entities: number
  /** Questions to a language model. */
  readonly modelCalls: number
  /** Times the setting `model_tokens`. */
  readonly tokenFactor: number
  /** Rounds that search for what is unanswered. */
  readonly rounds: number
  readonly timeMs: number
}

/** Searches, scrapes, entities and time are those of the specification. */
export const BUDGETS = {
  standard: { searches: 5, scrapes: 8, entities: 5, modelCalls: 8, tokenFactor: 1, rounds: 1, timeMs: 60_000 },
  deep: { searches: 15, scrapes: 20, entities: 15, modelCalls: 16, tokenFactor: 3, rounds: 2, timeMs: 180_000 },
  comprehensive: { searches: 30, scrapes: 40, entities: 30, modelCalls: 32, tokenFactor: 6, rounds: 4, timeMs: 480_000 },
} as const satisfies Record<string, Allowance>

/** What is counted. */
export type Counted = 'searches' | 'scrapes' | 'entities' | 'modelCalls' | 'tokens'

/** Hard counters of one research: what they do not grant is not done. */
export class Budget {
  readonly #left: Record<Counted, number>
  readonly #used: Record<Counted, number> = { searches: 0, scrapes: 0, entities: 0, modelCalls: 0, tokens: 0 }
  readonly #timeLeft: () => number
  /** Milliseconds of the call's deadline that are beyond the budget. */
  readonly #beyond: number
  readonly #allotted: number
  #exhausted = false

  /** `timeLeft` gives the milliseconds until the call's deadline; the time budget begins now. */
  constructor(allowance: Allowance, { tokens, timeLeft }: { readonly tokens: number; readonly timeLeft: () => number }) {
    const { searches, scrapes, entities, modelCalls, timeMs } = allowance
    this.#left = { searches, scrapes, entities, modelCalls, tokens }
    this.#timeLeft = timeLeft
    const now = timeLeft()
    this.#allotted = Math.min(timeMs, now)
    this.#beyond = now - this.#allotted
  }

  /** Takes so many, or none and returns false when fewer are left; the research is then exhausted. */
  take(what: Counted, amount = 1): boolean {
    if (this.#left[what] < amount) {
      this.#exhausted = true
      return false
    }
    this.#left[what] -= amount
    this.#used[what] += amount
    return true
  }

  /** Gives back what was taken and not used, such as the tokens of an answer that was shorter than it might have been. */
  giveBack(what: Counted, amount: number): void {
    const back = Math.min(Math.max(0, amount), this.#used[what])
    this.#left[what] += back
    this.#used[what] -= back
  }

  left(what: Counted): number {
    return this.#left[what]
  }

  used(what: Counted): number {
    return this.#used[what]
  }

  /** Milliseconds of the time budget that are left. */
  timeLeft(): number {
    return Math.max(0, this.#timeLeft() - this.#beyond)
  }

  /** Milliseconds until so large a share of the time budget is used. */
  timeUntil(share: number): number {
    return Math.max(0, this.timeLeft() - (1 - share) * this.#allotted)
  }

  /** Milliseconds since the research began. */
  elapsed(): number {
    return Math.max(0, this.#allotted - this.timeLeft())
  }

  /** Something was left undone for want of budget. */
  exhaust(): void {
    this.#exhausted = true
  }

  get exhausted(): boolean {
    return this.#exhausted
  }
}
