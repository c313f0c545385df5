/** Maximum resources of a research by depth. */
export interface Allowance {
  /** Requests to search engines and paper catalogues. */
  readonly searches: number
  /** Attempts to read a page. */
  readonly scrapes: number
  /** People and companies looked up. */
  readonly entities: number
  /** Requests to a language model. */
  readonly modelCalls: number
  /** Multiple of the setting `model_tokens`. */
  readonly tokenFactor: number
  /** Rounds of searches for open questions. */
  readonly rounds: number
  readonly timeMs: number
}

/** Searches, scrapes, entities and time are those of the specification. */
export const BUDGETS = {
  standard: { searches: 5, scrapes: 8, entities: 5, modelCalls: 8, tokenFactor: 1, rounds: 1, timeMs: 60_000 },
  deep: { searches: 15, scrapes: 20, entities: 15, modelCalls: 16, tokenFactor: 3, rounds: 2, timeMs: 180_000 },
  comprehensive: { searches: 30, scrapes: 40, entities: 30, modelCalls: 32, tokenFactor: 6, rounds: 4, timeMs: 480_000 },
} as const satisfies Record<string, Allowance>

/** The counted resources. */
export type Counted = 'searches' | 'scrapes' | 'entities' | 'modelCalls' | 'tokens'

/** Hard limits of one research: work beyond them is not done. */
export class Budget {
  readonly #left: Record<Counted, number>
  readonly #used: Record<Counted, number> = { searches: 0, scrapes: 0, entities: 0, modelCalls: 0, tokens: 0 }
  readonly #timeLeft: () => number
  /** Milliseconds of the call's deadline beyond the budget. */
  readonly #beyond: number
  readonly #allotted: number
  #exhausted = false

  /** `timeLeft` returns the milliseconds until the call's deadline; the time budget starts now. */
  constructor(allowance: Allowance, { tokens, timeLeft }: { readonly tokens: number; readonly timeLeft: () => number }) {
    const { searches, scrapes, entities, modelCalls, timeMs } = allowance
    this.#left = { searches, scrapes, entities, modelCalls, tokens }
    this.#timeLeft = timeLeft
    const now = timeLeft()
    this.#allotted = Math.min(timeMs, now)
    this.#beyond = now - this.#allotted
  }

  /** Takes an amount, or nothing and returns false when less is left; the research is then exhausted. */
  take(what: Counted, amount = 1): boolean {
    if (this.#left[what] < amount) {
      this.#exhausted = true
      return false
    }
    this.#left[what] -= amount
    this.#used[what] += amount
    return true
  }

  /** Returns an unused amount, such as the tokens of a shorter answer. */
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

  /** Milliseconds left of the time budget. */
  timeLeft(): number {
    return Math.max(0, this.#timeLeft() - this.#beyond)
  }

  /** Milliseconds until this share of the time budget is used. */
  timeUntil(share: number): number {
    return Math.max(0, this.timeLeft() - (1 - share) * this.#allotted)
  }

  /** Milliseconds since the research started. */
  elapsed(): number {
    return Math.max(0, this.#allotted - this.timeLeft())
  }

  /** Records that something was left undone for lack of budget. */
  exhaust(): void {
    this.#exhausted = true
  }

  get exhausted(): boolean {
    return this.#exhausted
  }
}
