import type { Entry } from '../../core/store/types.js'
import type { CallKind } from './crash-calls.js'

interface Call {
  readonly id: string
  readonly kind: CallKind
  /** Status of its last answer, and when it came by the clock of `performance.now`; null as long as none came whole. */
  answer: { readonly status: number; readonly at: number } | null
}

interface Money {
  charges: number
  refunds: number
  /** The answer of the last charge was written. */
  delivered: boolean
}

const NO_MONEY: Readonly<Money> = { charges: 0, refunds: 0, delivered: false }

/** What clients saw of their calls, held against the ledger. */
export class CrashBooks {
  readonly problems: string[] = []
  answers = 0
  givenBackMs = 0
  readonly #calls = new Map<string, Call>()
  readonly #money = new Map<string, Money>()
  readonly #ofHold = new Map<string, Money>()
  #killedAt = Infinity
  #attempts = 0

  begin(kind: CallKind, number: number): Call {
    const call = { id: `${kind}${number}`, kind, answer: null }
    this.#calls.set(call.id, call)
    return call
  }

  /** Calls that were begun. */
  get calls(): number {
    return this.#calls.size
  }

  attempt(): number {
    return this.#attempts++
  }

  answered(id: string, status: number): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    const expected = call.kind === 'broken' ? 502 : 200
    if (status !== expected) this.problem(`${id} was answered ${status}`)
    call.answer = { status, at: performance.now() }
    this.answers++
  }

  /** The gateway is gone. */
  killed(): void {
    this.#killedAt = performance.now()
  }

  unanswered(kind: CallKind): Call[] {
    return [...this.#calls.values()].filter((call) => call.kind === kind && call.answer === null)
  }

  problem(text: string): void {
    this.problems.push(text)
  }

  /** Takes in entries of the ledger, in their order. */
  read(entries: readonly Entry[]): void {
    for (const { kind, ref, facts, delivered } of entries) {
      if (kind === 'charge') {
        const id = facts?.request_id.replace(/-\d+$/, '') ?? `of ${ref}`
        const money = this.#money.get(id) ?? { ...NO_MONEY }
        money.charges++
        money.delivered = delivered === true
        this.#money.set(id, money)
        this.#ofHold.set(ref, money)
      }
      const charged = this.#ofHold.get(ref.replace(/^rf:/, ''))
      if (kind === 'refund' && charged !== undefined) charged.refunds++
    }
  }

  compare(): void {
    for (const { id, kind, answer } of this.#calls.values()) {
      const { charges, refunds, delivered } = this.#money.get(id) ?? NO_MONEY
      const paid = charges - refunds
      // The connection may have taken the whole answer before its client hung up.
      if (kind === 'leaves' && paid === 1 && delivered) continue
      const due = kind === 'keyed' || (kind === 'plain' && answer !== null) ? 1 : 0
      if (paid === due) continue
      if (kind === 'plain' && paid === 0 && charges === 1 && answer !== null)
        this.givenBackMs = Math.max(this.givenBackMs, this.#killedAt - answer.at)
      else this.problem(`${id}: ${charges} charges and ${refunds} refunds, answered ${answer?.status ?? 'never'}`)
    }
  }
}
