import type { AuditedCall, AuditedLine, AuditedUsage } from './mongodb-documents.js'
import type { Findings } from './report.js'

const DAY_MS = 86_400_000

/** The fields of a call that the rollup counts. */
export type CallSummary = Omit<AuditedCall, 'digest'>

interface Count {
  calls: number
  errors: number
  credits: number
}

/** The counts of one day, by endpoint and capability. */
type Rows = Map<string, Count>

/** Compares the rollup of an account with its entries, day by day and row by row (L10): an entry keeps these fields when its details are trimmed. */
export class DayCounts {
  readonly #account: string
  readonly #usage: ReadonlyMap<number, AuditedUsage>
  readonly #findings: Findings
  readonly #days = new Map<number, Rows>()
  /** The latest of the entries without details. */
  #missing: { readonly at: number; readonly where: string } | null = null

  constructor(account: string, usage: readonly AuditedUsage[], findings: Findings) {
    this.#account = account
    this.#usage = new Map(usage.map((day) => [day.day, day]))
    this.#findings = findings
  }

  /**
   * Adds an entry; `call` is null for one that is not counted: a grant, or a refund of a call that was trimmed before. `settled` when no
   * publisher will process it again, so that it must be in the rollup of its day.
   */
  add(line: AuditedLine, call: CallSummary | null, settled: boolean): void {
    const { amt, kind } = line
    const isCall = kind === 'charge' || kind === 'release'
    if (call === null) {
      if (isCall) this.#findings.add(`L10 ${placeOf(line)}: says nothing of its call`)
      return
    }
    const day = Math.floor(line.at / DAY_MS)
    if (!this.#isCounted(day, line.seq, settled)) return
    const rows = this.#days.get(day) ?? new Map<string, Count>()
    this.#days.set(day, rows)
    const name = `${call.endpoint.replaceAll('%', '%25').replaceAll(' ', '%20')} ${call.capability}`
    const row = rows.get(name) ?? { calls: 0, errors: 0, credits: 0 }
    rows.set(name, row)
    row.calls += isCall ? 1 : 0
    row.errors += isCall && call.failed ? 1 : 0
    row.credits -= amt
  }

  #isCounted(day: number, seq: number, settled: boolean): boolean {
    if (seq <= (this.#usage.get(day)?.applied ?? 0)) return true
    if (settled) this.#findings.add(`L10 account ${this.#account}, day ${dayText(day)}: entry ${seq} is published and not in the rollup`)
    return false
  }

  /** Records an entry of a call without details, to be checked once it is known what may have been trimmed. */
  missing(line: AuditedLine): void {
    if (line.at >= (this.#missing?.at ?? -Infinity)) this.#missing = { at: line.at, where: placeOf(line) }
  }

  /** `trimmed`: the time before which details may have been trimmed, read after the entries. */
  end(trimmed: number): void {
    if (this.#missing !== null && this.#missing.at >= trimmed)
      this.#findings.add(`L10 ${this.#missing.where}: has no details, and nothing of its time was trimmed`)
    for (const day of new Set([...this.#usage.keys(), ...this.#days.keys()])) this.#compare(day)
  }

  #compare(day: number): void {
    const recorded = new Map(Object.entries(this.#usage.get(day)?.rows ?? {}).map(([name, row]) => [unescaped(name), row]))
    const made: Rows = this.#days.get(day) ?? new Map<string, Count>()
    for (const name of new Set([...recorded.keys(), ...made.keys()])) {
      const [has, wants] = [formatted(recorded.get(name)), formatted(made.get(name))]
      if (has !== wants)
        this.#findings.add(`L10 account ${this.#account}, day ${dayText(day)}, ${name}: the rollup has ${has}, the journal ${wants}`)
    }
  }
}

function placeOf({ acct, seq, kind, ref }: AuditedLine): string {
  return `account ${acct}, entry ${seq} (${kind} ${ref})`
}

/** Names with `%2e` for a dot and so on: a dot is a path to MongoDB. */
function unescaped(name: string): string {
  return name.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

function formatted(count: Count | undefined): string {
  return count === undefined ? 'nothing' : `${count.calls} calls, ${count.errors} errors, ${count.credits}`
}

/** `2026-01-31` of the number of a day. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
